import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeSettings, readSettings, settingSections } from '../../src/testing.js';
import { administratorAt } from '../support/admin.js';
import { describeDatabases } from '../support/databases.js';
import { formsOf, submitForm } from '../support/forms.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import type { SeenPage, Visitor } from '../support/visitor.js';

describeDatabases('settings on the dashboard', (kind) => {
  let service: TestService;
  let project: TestProject;
  let ada: Visitor;
  let ben: Visitor;
  let base: string;
  beforeAll(async () => {
    service = await startService({ database: kind });
    ada = await administratorAt(service.url, service.service, 'ada@shop.example');
    ben = await administratorAt(service.url, service.service, 'ben@shop.example');
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    project = await service.newProject();
    base = `/dashboard/${project.project.id}/live/settings`;
  });
  const current = () => readSettings(service.service, { project: project.project.id });
  const readable = ({ text }: SeenPage) => text.replaceAll(' :', ':');
  /** Entries of the log, without times. */
  const logged = async () => {
    const text = readable(await ada.get(base));
    return text.slice(text.lastIndexOf('Time Changed by Change')).replace(/\d+ \w+ \d{4}, \d\d:\d\d UTC/g, '|');
  };

  test('are all shown with description, default and value', async () => {
    await changeSettings(service.service, {
      project: project.project.id,
      changes: { learning_days: 12 },
      changedBy: 'test',
    });
    const { status, text, html, headers } = await ada.get(base);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    for (const { settings: names, hasPage, id } of settingSections) {
      for (const name of names)
        expect(html).toContain(hasPage ? `${base.replace('/settings', '')}/${id}"` : `<code>${name}</code>`);
    }
    expect(text).toContain('Device limit device_limit Overall: 5 Mobile: none Tablet: none Desktop: none');
    expect(text).toMatch(/Learning days learning_days 12 Days after the project's creation/);
    // What differs from the default comes first, and nothing else is there.
    expect(text).toMatch(
      /Changed in this project .* Edit Learning days learning_days 12 0 Change Rolling out 1 of 2 changed/,
    );
  });

  test('do not change when each form is sent unmodified', async () => {
    const before = await current();
    for (const { id } of settingSections.filter(({ hasPage }) => !hasPage)) {
      const saved = await submitForm(ada, await ada.get(`${base}/${id}`), `/settings/${id}`);
      expect([saved.status, saved.headers.get('Location')], id).toEqual([303, base]);
    }
    expect(await current()).toEqual(before);
    expect((await ada.get(base)).text).toContain('No changes yet');
    expect((await ada.get(base)).text).toContain('Nothing. Each setting has its default value.');
  });

  test('are saved, take effect in the API at once, and are logged with the administrator', async () => {
    const sharing = await ada.get(`${base}/sharing`);
    const changes = { 'device_limit.overall': '', 'device_limit.mobile': '2', admin_email: 'boss@shop.example' };
    await submitForm(ada, sharing, '/settings/sharing', changes);
    expect((await ada.get(base)).text).toContain('Settings saved: Account sharing.');
    expect(await current()).toMatchObject({
      device_limit: { overall: null, mobile: 2, tablet: null, desktop: null },
      admin_email: 'boss@shop.example',
    });
    const ask = () =>
      service.api('/v2/device/nonce', {
        key: project.keys.live.publishable,
        method: 'POST',
        headers: { Origin: 'https://shop.example' },
      });
    expect((await ask()).status).toBe(403);
    const origins = await ben.get(`${base}/origins`);
    await submitForm(ben, origins, '/settings/origins', { allowed_origins: 'https://shop.example\r\n\r\n' });
    expect((await ask()).status).toBe(200);

    const log = await logged();
    expect(log).toMatch(
      /\| ben@shop.example allowed_origins: added https:\/\/shop.example \| ada@shop.example admin_email: none → b\*\*\*@s\*+\.example device_limit.overall: 5 → none device_limit.mobile: none → 2/,
    );
    const rows = await service.db.selectFrom('audit_log').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/boss@|ada@/);
  });

  test('are changed one at a time', async () => {
    const page = await ada.get(`${base}/device_limit`);
    expect(page.text).toContain('Settings: Device limit');
    expect(
      formsOf(page.html)
        .find(({ action }) => action.endsWith('/device_limit'))
        ?.fields.has('admin_email'),
    ).toBe(false);
    const bens = await ben.get(`${base}/concurrency`);
    await submitForm(ada, page, '/settings/device_limit', { 'device_limit.overall': '4' });
    // Another setting of the same section is another form.
    expect((await submitForm(ben, bens, '/settings/concurrency', { 'concurrency.devices': '3' })).status).toBe(303);
    expect(await current()).toMatchObject({ device_limit: { overall: 4 }, concurrency: { devices: 3 } });
    // Only the part that differs is shown.
    expect((await ada.get(base)).text).toContain('Device limit device_limit Overall: 4 Overall: 5 Change');
    for (const name of ['policy', 'rules', 'toString']) expect((await ada.get(`${base}/${name}`)).status).toBe(404);
  });

  test('can be reset to the default, which is not stored', async () => {
    const which = { project: project.project.id };
    await changeSettings(service.service, {
      ...which,
      changes: { mode: 'observe', learning_days: 3 },
      changedBy: 'test',
    });
    await submitForm(ada, await ada.get(`${base}/rolling-out`), '/settings/rolling-out', { learning_days: '0' });
    const { settings } = await service.db
      .selectFrom('projects')
      .select('settings')
      .where('id', '=', which.project)
      .executeTakeFirstOrThrow();
    expect(settings).toEqual({ mode: 'observe' });
    expect(await logged()).toContain('learning_days: 3 → 0');
  });

  test('are rejected if invalid, with an error for each, keeping the entered values', async () => {
    const page = await ada.get(`${base}/sharing`);
    const typed = { 'device_limit.overall': '1001', 'concurrency.devices': '3', admin_email: 'nobody' };
    const refused = await submitForm(ada, page, '/settings/sharing', typed);
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/Nothing was saved.*It must be an email address\./);
    expect(refused.html).toMatch(
      /id="device_limit.overall-error">A whole number from 0 to 1,000, or empty for none\.</,
    );
    const fields = formsOf(refused.html).find(({ action }) => action.endsWith('/sharing'))?.fields;
    expect(Object.fromEntries(fields ?? [])).toMatchObject(typed);
    expect((await current()).concurrency.devices).toBe(2);

    const again = await submitForm(ada, refused, '/settings/sharing', { 'device_limit.overall': '4' });
    expect(again.text).toContain('It must be an email address.');
    await submitForm(ada, again, '/settings/sharing', { admin_email: '' });
    expect(await current()).toMatchObject({
      device_limit: { overall: 4 },
      concurrency: { devices: 3 },
      admin_email: null,
    });
  });

  test('are not saved over concurrent changes until the differences were shown', async () => {
    const [adas, bens] = [await ada.get(`${base}/rolling-out`), await ben.get(`${base}/rolling-out`)];
    await submitForm(ada, adas, '/settings/rolling-out', { learning_days: '3' });
    const other = await ben.get(`${base}/protection`);
    const refused = await submitForm(ben, bens, '/settings/rolling-out', { learning_days: '9' });
    expect(refused.status).toBe(409);
    expect(readable(refused)).toMatch(/somebody else changed this section.*learning_days: 3 → 9/);
    expect((await current()).learning_days).toBe(3);
    // Other sections are not affected.
    await submitForm(ben, other, '/settings/protection', { address_trust_days: '5' });
    await submitForm(ben, refused, '/settings/rolling-out');
    expect(await current()).toMatchObject({ learning_days: 9, address_trust_days: 5 });
  });

  test('are saved by one of two concurrent requests', async () => {
    const pages = await Promise.all([ada, ben].map((visitor) => visitor.get(`${base}/limits`)));
    const [first, second] = await Promise.all([
      submitForm(ada, pages[0] ?? { html: '' }, '/settings/limits', { retention_days: '10' }),
      submitForm(ben, pages[1] ?? { html: '' }, '/settings/limits', { retention_days: '20' }),
    ]);
    expect([first.status, second.status].sort()).toEqual([303, 409]);
    expect((await current()).retention_days).toBe(first.status === 303 ? 10 : 20);
  });

  test('have a paginated log', async () => {
    for (let days = 1; days <= 25; days++) {
      await changeSettings(service.service, {
        project: project.project.id,
        changes: { learning_days: days },
        changedBy: 'command line',
      });
    }
    const first = await ada.get(base);
    const way = /href="([^"]*before=[^"]*)"/.exec(first.html)?.[1] ?? '';
    const second = await ada.get(way);
    const changes = [first, second].map((page) =>
      [...readable(page).matchAll(/learning_days: \d+ → (\d+)/g)].map(([, to]) => Number(to)),
    );
    expect(changes.map((page) => page.length)).toEqual([20, 5]);
    expect(changes.flat()).toEqual(Array.from({ length: 25 }, (_each, index) => 25 - index));
    expect(second.html).not.toContain('before=');
  });

  test('of an unknown section or project are not found', async () => {
    await ada.get(base);
    expect((await ada.post(`${base}/nonsense`)).status).toBe(404);
    expect((await ada.get(`${base}/nonsense`)).status).toBe(404);
    expect((await ada.get(base.replace(/\/[0-9a-f-]{36}\//, `/${service.service.newId()}/`))).status).toBe(404);
  });
});
