import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hourMs } from '../../src/testing.js';
import { administratorAt } from '../support/admin.js';
import { customerOf, laptop } from '../support/customer.js';
import { describeDatabases } from '../support/databases.js';
import { formsOf, submitForm } from '../support/forms.js';
import { type Receiver, startReceiver, status } from '../support/receiver.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import type { SeenPage, Visitor } from '../support/visitor.js';
import { forgetEndpoints, verified, type Webhooks, webhooksOf } from '../support/webhooks.js';

describeDatabases('webhooks on the dashboard', (kind) => {
  let receiver: Receiver;
  let service: TestService;
  let app: SecondApp;
  let project: TestProject;
  let webhooks: Webhooks;
  let ada: Visitor;
  let base: string;
  beforeAll(async () => {
    receiver = await startReceiver();
    service = await startService({ database: kind, environment: { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' } });
    app = await openSecondApp(service.service);
  });
  afterAll(async () => {
    await app.close();
    await service.close();
    await receiver.close();
  });
  beforeEach(async () => {
    await forgetEndpoints(service, receiver);
    project = await service.newProject();
    base = `/dashboard/${project.project.id}/live/webhooks`;
    ada = await administratorAt(app.url, service.service, `${service.service.newId()}@shop.example`);
    webhooks = webhooksOf(service.service, project);
    await customerOf(service, project).evaluate({
      action: 'signup',
      user: 'ann.walker',
      fingerprint: laptop,
      ip: '198.51.100.7',
    });
  });

  const secretIn = ({ html }: SeenPage) => /value="(whsec_[^"]+)"/.exec(html)?.[1]?.replaceAll('&#43;', '+') ?? '';
  const idIn = ({ html }: SeenPage) => /webhooks\/([0-9a-f-]{36})"/.exec(html)?.[1] ?? '';
  const add = async (path = '/hooks') =>
    submitForm(ada, await ada.get(base), '/webhooks', { url: receiver.url + path });
  const follow = async (page: SeenPage) => ada.get(page.headers.get('Location') ?? '');

  test('are added: the secret is shown once, and signs the events', async () => {
    const added = await add('/hooks?token=theirs');
    expect([added.status, added.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    const secret = secretIn(added);
    await webhooks.emit(1);
    await webhooks.deliver();
    const [first] = receiver.received;
    if (!first) throw new Error('Nothing came');
    expect(verified(first, secret)).toMatchObject({ type: 'device.detached' });

    const list = await ada.get(base);
    expect(list.text).toMatch(/\/hooks\?token=theirs healthy 0 0/);
    const page = await ada.get(`${base}/${idIn(added)}`);
    expect(page.text).toMatch(/device\.detached .{36} delivered 204 \d+ ms Send again/);
    for (const { html } of [list, page]) expect(html).not.toContain(secret);
    expect(app.log()).not.toContain(secret);
    const log = await ada.get(`/dashboard/${project.project.id}/live/settings`);
    expect(log.text).toMatch(/Webhook endpoint added: http:\/\/127\.0\.0\.1:\d+\/hooks \(live\)/);
    expect(log.html).not.toContain('theirs');
  });

  test.each([
    ['https://10.0.0.1/hooks', '10.0.0.1 has an address that is not public'],
    ['ftp://shop.example/', 'The URL of a webhook endpoint must begin with https://.'],
    ['https://ann:secret@shop.example/', 'must not contain a user name, password or fragment'],
  ])('to %s are rejected, and the input is kept', async (url, message) => {
    const refused = await submitForm(ada, await ada.get(base), '/webhooks', { url });
    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(/id="url-error"/);
    expect(refused.text).toContain(message);
    expect(
      formsOf(refused.html)
        .find(({ action }) => action.endsWith('/webhooks'))
        ?.fields.get('url'),
    ).toBe(url);
    expect(await webhooks.list()).toEqual([]);
  });

  test('can be tested with an event, and the response is shown', async () => {
    const id = idIn(await add());
    const page = await ada.get(`${base}/${id}`);
    expect((await follow(await submitForm(ada, page, '/test'))).text).toMatch(/Test event delivered: 204, \d+ ms\./);
    receiver.answerNext(status(500));
    expect((await follow(await submitForm(ada, page, '/test'))).text).toMatch(
      /Test event not delivered: 500, \d+ ms\./,
    );
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['webhook.test', 'webhook.test']);
  });

  test('are rotated: both secrets sign for a while, and sending the form again has no effect', async () => {
    const added = await add();
    const id = idIn(added);
    const form = await ada.get(`${base}/${id}/rotate`);
    const rotated = await submitForm(ada, form, '/rotate', { keep_hours: '24' });
    const again = await follow(await submitForm(ada, form, '/rotate', { keep_hours: '0' }));
    expect(again.text).toContain('The secret was rotated in the meantime');
    expect(again.text).toContain('Old secret valid until');
    await webhooks.emit(1);
    await webhooks.deliver();
    const [first] = receiver.received;
    if (!first) throw new Error('Nothing came');
    for (const page of [added, rotated]) expect(verified(first, secretIn(page))).toBeDefined();
    expect(secretIn(rotated)).not.toBe(secretIn(added));
  });

  test('that respond with 410 are switched off and can be enabled again', async () => {
    const id = idIn(await add());
    receiver.answerNext(status(410));
    await webhooks.emit(1);
    await webhooks.deliver();
    const off = await ada.get(`${base}/${id}`);
    expect(off.text).toMatch(/Status off The endpoint responded with 410/);
    expect(off.text).toMatch(/Failed 1 /);
    expect(off.html).not.toContain('/replay"');
    expect((await follow(await submitForm(ada, off, '/enable'))).text).toMatch(
      /The endpoint receives events again\..*Status healthy/,
    );
  });

  test('replay one event, or those of a period', async () => {
    const id = idIn(await add());
    const [first = ''] = await webhooks.emit(1);
    service.clock.advance(hourMs);
    const rest = await webhooks.emit(2);
    await webhooks.deliver();
    receiver.clear();
    const page = await ada.get(`${base}/${id}`);
    expect((await follow(await submitForm(ada, page, '/replay', { event: first }))).text).toContain(
      '1 event will be sent again.',
    );
    await webhooks.deliver();
    expect(receiver.received.map((received) => received.id)).toEqual([first]);

    const from = new Date(service.clock.now().getTime() - 60_000).toISOString().slice(0, 16);
    const range = (fields: Record<string, string>) => ada.post(`${base}/${id}/replay`, fields);
    expect((await follow(await range({ from }))).text).toContain('0 events will be sent again.');
    expect((await follow(await range({ from, delivered: 'on' }))).text).toContain('2 events will be sent again.');
    await webhooks.deliver();
    expect(receiver.received.map((received) => received.id).sort()).toEqual([first, ...rest].sort());
    for (const [fields, message] of [
      [{}, 'Enter an event ID or a start time'],
      [{ from: 'yesterday' }, 'is not a valid time'],
      [{ event: service.service.newId() }, 'There is no event'],
    ] as const) {
      expect((await follow(await range(fields))).text).toContain(message);
    }
  });

  test('are removed after confirmation', async () => {
    const id = idIn(await add());
    await webhooks.emit(2);
    const question = await ada.get(`${base}/${id}/remove`);
    expect(question.text).toContain('2 waiting events will not be delivered.');
    const removed = await follow(await submitForm(ada, question, '/remove'));
    expect(removed.text).toMatch(/The endpoint was removed\..*No endpoints yet\./);
    expect(await webhooks.list()).toEqual([]);
    expect((await ada.get(`${base}/${id}`)).status).toBe(404);
    expect((await ada.get(`${base}/${id}/rotate`)).status).toBe(404);
  });

  test('of another project are not found', async () => {
    const id = idIn(await add());
    const other = await service.newProject();
    const elsewhere = `/dashboard/${other.project.id}/live/webhooks/${id}`;
    expect((await ada.get(elsewhere)).status).toBe(404);
    for (const action of ['test', 'enable', 'rotate', 'remove', 'replay']) {
      await ada.get(base);
      const told = await ada.post(`${elsewhere}/${action}`, { event: service.service.newId() });
      expect(told.status).toBe(404);
    }
    expect(receiver.received).toEqual([]);
    expect(await webhooks.list()).toHaveLength(1);
  });

  test('show the outbox in pages, without the users', async () => {
    const ids = await webhooks.emit(30);
    const first = await ada.get(base);
    const second = await ada.get(/href="([^"]*before=[^"]*)"/.exec(first.html)?.[1] ?? '');
    const shown = [first, second].map(({ html }) =>
      [...html.matchAll(/<code>([0-9a-f-]{36})<\/code>/g)].map(([, id]) => id),
    );
    expect(shown.map((page) => page.length)).toEqual([25, 5]);
    expect(shown.flat().sort()).toEqual([...ids].sort());
    // Contains a dot, which no token on the page does.
    expect(first.html).not.toContain('ann.');
  });
});
