import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addEndpoint, findCaller, hourMs, listEndpoints, minuteMs, rotateKey } from '../../src/testing.js';
import { administratorAt, adminOf, password } from '../support/admin.js';
import { describeDatabases } from '../support/databases.js';
import { formsOf, submitForm } from '../support/forms.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { type SeenPage, type Visitor, visitorOf } from '../support/visitor.js';
import { waitFor } from '../support/wait-for.js';

describeDatabases('keys on the dashboard', (kind) => {
  let service: TestService;
  let app: SecondApp;
  let project: TestProject;
  let ada: Visitor;
  let base: string;
  let email: string;
  beforeAll(async () => {
    service = await startService({ database: kind, environment: { ALLOW_PRIVATE_WEBHOOKS: '127.0.0.0/8' } });
    app = await openSecondApp(service.service);
  });
  afterAll(async () => {
    await app.close();
    await service.close();
  });
  beforeEach(async () => {
    project = await service.newProject();
    email = `${service.service.newId()}@shop.example`;
    ada = await administratorAt(app.url, service.service, email);
    base = `/dashboard/${project.project.id}/live`;
  });

  const works = async (key: string) => (await service.api('/v2/challenges', { key })).status === 200;
  const keyIn = ({ html }: SeenPage) => /id="secret"[^>]* value="([sp]k_(?:live|test)_\w+)"/.exec(html)?.[1] ?? '';
  /** URLs of the actions on a key. */
  const ways = async (key: string, what: 'rotate' | 'revoke') => {
    const { html } = await ada.get(`${base}/keys`);
    const [, way = ''] = new RegExp(`href="([^"]*/${what})" aria-label="\\w+ \\w+…${key.slice(-4)}"`).exec(html) ?? [];
    return way;
  };
  const open = async (key: string, what: 'rotate' | 'revoke') => ada.get(await ways(key, what));
  const log = async () => (await ada.get(`${base}/settings`)).text;

  test('are listed by world, a publishable one as a whole, a secret one without the key itself', async () => {
    const { text, html } = await ada.get(`${base}/keys`);
    const { secret, publishable } = project.keys.live;
    expect(text).toContain(`sk_live_…${secret.slice(-4)} secret`);
    expect(text).toContain(`pk_live_…${publishable.slice(-4)} publishable`);
    expect(html).not.toContain('_test_');
    expect(html).not.toContain(secret);
    expect(html).toContain(`value="${publishable}"`);
  });

  test('are created, shown only once, and work', async () => {
    const made = await submitForm(ada, await ada.get(`${base}/keys`), '/keys', { kind: 'secret' });
    expect([made.status, made.headers.get('Cache-Control'), made.headers.get('Location')]).toEqual([
      200,
      'no-store',
      null,
    ]);
    const script = /<script src="([^"]*copy\.js[^"]*)"/.exec(made.html)?.[1] ?? '';
    expect((await fetch(app.url + script)).headers.get('Content-Type')).toContain('text/javascript');
    const key = keyIn(made);
    expect(key).toMatch(/^sk_live_\w{43}$/);
    expect([await works(key), await works(project.keys.live.secret)]).toEqual([true, true]);
    const rows = [
      await service.db.selectFrom('api_keys').selectAll().execute(),
      await service.db.selectFrom('audit_log').selectAll().execute(),
      await service.db.selectFrom('admin_sessions').selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).not.toContain(key);
    for (const page of ['keys', 'settings']) expect((await ada.get(`${base}/${page}`)).html).not.toContain(key);
    expect(app.log()).toContain('/dashboard/{project}/{mode}/keys');
    expect(app.log()).not.toContain(key);
    expect(await log()).toContain(`${email} Key created: sk_live_…${key.slice(-4)}`);

    const third = await submitForm(ada, await ada.get(`${base}/keys`), '/keys', { kind: 'secret' });
    expect((await ada.get(third.headers.get('Location') ?? '')).text).toContain(
      'There are already 2 active keys of this kind',
    );
    const publishable = await submitForm(ada, await ada.get(`${base}/keys`), '/keys', { kind: 'publishable' });
    expect(keyIn(publishable)).toMatch(/^pk_live_\w{22}$/);
    expect((await ada.post(`${base}/keys`, { kind: 'other' })).status).toBe(400);
  });

  test('are rotated: the old one stays valid for the chosen time', async () => {
    const old = project.keys.live.secret;
    const page = await open(old, 'rotate');
    const rotated = await submitForm(ada, page, '/rotate', { keep_hours: '1' });
    const key = keyIn(rotated);
    expect([await works(key), await works(old)]).toEqual([true, true]);
    expect((await ada.get(`${base}/keys`)).text).toMatch(
      new RegExp(`…${old.slice(-4)} secret .{10,30} UTC valid until`),
    );
    // Sending the form again, as by a reload, must not rotate the new key.
    const again = await submitForm(ada, page, '/rotate', { keep_hours: '0' });
    expect(keyIn(again)).toBe('');
    expect((await ada.get(again.headers.get('Location') ?? '')).text).toContain('another key is now the newest');
    expect(
      (await ada.post((await ways(key, 'rotate')).replace(/.*?\/dashboard/, '/dashboard'), { keep_hours: '5' })).status,
    ).toBe(400);
    service.clock.advance(hourMs);
    expect([await works(key), await works(old)]).toEqual([true, false]);
    expect(await log()).toMatch(new RegExp(`Key rotated: sk_live_…${old.slice(-4)} → sk_live_…${key.slice(-4)}`));
  });

  test('are revoked after confirmation, and then rejected', async () => {
    const { secret } = project.keys.live;
    const second = keyIn(await submitForm(ada, await ada.get(`${base}/keys`), '/keys', { kind: 'secret' }));
    const page = await open(secret, 'revoke');
    expect(page.text).not.toContain('It is the last');
    expect(await works(secret)).toBe(true);
    const revoked = await submitForm(ada, page, '/revoke');
    expect(revoked.status).toBe(303);
    expect([await works(secret), await works(second)]).toEqual([false, true]);
    expect((await ada.get(`${base}/keys`)).text).toContain(`The key sk_live_…${secret.slice(-4)} was revoked.`);
    expect(await log()).toContain(`${email} Key revoked: sk_live_…${secret.slice(-4)}`);
    await submitForm(ada, page, '/revoke');
    expect((await ada.get(`${base}/keys`)).text).toContain('has already expired');

    const last = await open(second, 'revoke');
    expect(last.text).toMatch(
      /This is the last secret key for live mode\. Requests from your server will fail with status 401/,
    );
    await submitForm(ada, last, '/revoke');
    expect(await works(second)).toBe(false);
    const made = keyIn(await submitForm(ada, await ada.get(`${base}/keys`), '/keys', { kind: 'secret' }));
    expect(await works(made)).toBe(true);
  });

  describe('require the password', () => {
    let admin: Visitor;
    const wrong = { password: 'not the password' };
    beforeEach(async () => {
      email = `${service.service.newId()}@shop.example`;
      admin = await adminOf(service, email);
    });
    const at = (path: string) => admin.get(`${base}${path}`);
    const idOf = async (what: string) =>
      new RegExp(`/keys/([0-9a-f-]{36})/${what}"`).exec((await at('/keys')).html)?.[1] ?? '';

    test('before one is created, and then not for 10 minutes', async () => {
      const page = await at('/keys');
      expect(page.html).toContain('name="password"');
      const missing = await submitForm(admin, page, '/keys', { kind: 'publishable' });
      expect([missing.status, missing.text]).toEqual([
        422,
        expect.stringContaining('Enter your password to continue.'),
      ]);
      expect(missing.html).toContain('<option value="publishable" selected>');
      const refused = await submitForm(admin, missing, '/keys', wrong);
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('This password is wrong.')]);
      expect(keyIn(refused)).toBe('');
      const made = await submitForm(admin, refused, '/keys', { password });
      expect(keyIn(made)).toMatch(/^pk_live_/);
      expect(made.html).not.toContain(password);
      expect((await at('/keys')).html).not.toContain('name="password"');
      expect(keyIn(await submitForm(admin, await at('/keys'), '/keys'))).toMatch(/^sk_live_/);
      const stale = await at('/keys');
      service.clock.advance(10 * minuteMs);
      expect((await submitForm(admin, stale, '/keys')).status).toBe(422);
    });

    test.each(['rotate', 'revoke'])('before an old one ends: %s', async (what) => {
      const path = `/keys/${await idOf(what)}/${what}`;
      const before = (await at('/keys')).text;
      expect((await submitForm(admin, await at(path), `/${what}`, wrong)).status).toBe(422);
      expect((await at('/keys')).text).toBe(before);
      const done = await submitForm(admin, await at(path), `/${what}`, { password });
      expect([200, 303]).toContain(done.status);
      expect((await at('/keys')).text).not.toBe(before);
    });

    test('before a webhook secret or an invitation is created', async () => {
      const url = 'http://127.0.0.1:1/hooks';
      const refused = await submitForm(admin, await at('/webhooks'), '/webhooks', { url, ...wrong });
      expect([refused.status, formsOf(refused.html).at(-1)?.fields.get('url')]).toEqual([422, url]);
      expect(await listEndpoints(service.service, { project: project.project.id, mode: 'live' })).toEqual([]);
      const { id } = await addEndpoint(service.service, { project: project.project.id, mode: 'live', url });
      const kept = await submitForm(admin, await at(`/webhooks/${id}/rotate`), '/rotate', {
        keep_hours: '1',
        ...wrong,
      });
      expect([kept.status, kept.html]).toEqual([422, expect.stringContaining('<option value="1" selected>')]);
      const guest = { email: `guest-${email}`, role: 'owner' };
      const members = () => admin.get('/dashboard/members');
      expect((await submitForm(admin, await members(), '/members', { ...guest, ...wrong })).status).toBe(422);
      expect((await members()).text).not.toContain(guest.email);
      expect((await submitForm(admin, await members(), '/members', { ...guest, password })).status).toBe(303);
      expect((await members()).text).toContain(guest.email);
    });

    test('and count wrong ones as at sign-in', async () => {
      const from = { 'X-Forwarded-For': '198.51.103.1' };
      await at('/keys');
      const csrf = admin.fields().get('csrf') ?? '';
      const tries = [];
      for (let times = 1; times <= 6; times++) {
        tries.push((await admin.post(`${base}/keys`, { kind: 'secret', csrf, ...wrong }, from)).status);
      }
      expect(tries).toEqual([422, 422, 422, 422, 422, 429]);
      const visitor = visitorOf(service);
      await visitor.get('/dashboard/sign-in');
      expect((await visitor.submit('sign-in', { email, password }, from)).status).toBe(429);
    });
  });

  test('stop working in other processes when revoked', async () => {
    const { secret } = project.keys.live;
    // Another process has its own cache.
    const other = { ...service.service, memory: {} };
    expect(await findCaller(other, secret)).toBeDefined();
    await submitForm(ada, await open(secret, 'revoke'), '/revoke');
    await waitFor(async () => (await findCaller(other, secret)) === undefined, { what: 'the key to end elsewhere' });
  });

  test('of another world or project are not found', async () => {
    const { html } = await ada.get(`/dashboard/${project.project.id}/test/keys`);
    const [, id = ''] = /keys\/([0-9a-f-]{36})\/revoke/.exec(html) ?? [];
    for (const path of [
      `${base}/keys/${id}`,
      `/dashboard/${(await service.newProject()).project.id}/test/keys/${id}`,
    ]) {
      for (const what of ['revoke', 'rotate']) {
        await ada.get(`${base}/keys`);
        expect((await ada.post(`${path}/${what}`, { keep_hours: '0' })).status).toBe(404);
        expect((await ada.get(`${path}/${what}`)).status).toBe(404);
      }
    }
    expect(await works(project.keys.test.secret)).toBe(true);
  });

  test('can be rotated by the command line, which is logged', async () => {
    const which = { project: project.project.id, mode: 'live', kind: 'publishable', keepOldForHours: 0 } as const;
    const key = await rotateKey(service.service, which);
    expect(await log()).toMatch(new RegExp(`command line Key rotated: \\S+ → pk_live_…${key.slice(-4)}`));
  });
});
