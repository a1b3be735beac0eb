import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  changePassword,
  findAdminByEmail,
  hourMs,
  minuteMs,
  removeMemberByEmail,
  removeOldRows,
  signIn,
} from '../../src/testing.js';
import { adminOf, password } from '../support/admin.js';
import { describeDatabases } from '../support/databases.js';
import { formsOf } from '../support/forms.js';
import { interleavedService } from '../support/interleaving.js';
import { openSecondApp } from '../support/second-app.js';
import { startService, type TestService } from '../support/service.js';
import { isIn, locationOf, sessionName, signInFormOf } from '../support/sign-in-form.js';
import { type Visitor, visitorOf } from '../support/visitor.js';

const visitorName = '__Host-whorl_dashboard_visitor';

describeDatabases('signing in to the dashboard', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database: kind });
    // Beside the first project: with one only, /dashboard redirects to it.
    await service.newProject();
  });
  afterAll(() => service.close());
  let email: string;
  let visitor: Visitor;
  /** Each test has its own, because attempts from one network are counted together. */
  let address: string;
  let addresses = 0;
  beforeEach(() => {
    addresses += 1;
    address = `198.18.0.${addresses}`;
    email = `${randomUUID()}@example.com`;
    visitor = visitorOf(service);
  });

  const enter = signInFormOf(() => ({ email, address }));

  test('creates a new session each time, and ignores one set by the browser', async () => {
    await adminOf(service, email);
    visitor.cookies.set(sessionName, 'brought');
    const answer = await enter(visitor);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith(`${sessionName}=`)) ?? '';
    expect(cookie).toMatch(/=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const before = visitor.cookies.get(sessionName) ?? '';
    visitor.cookies.delete(sessionName);
    await visitor.get('/dashboard/sign-in');
    visitor.cookies.set(sessionName, before);
    await visitor.submit('sign-in', { email, password });
    expect(visitor.cookies.get(sessionName)).not.toBe(before);
    visitor.cookies.set(sessionName, before);
    expect(await isIn(visitor)).toBe(false);
  });

  test('never copies a value of the browser to a cookie', async () => {
    const brought = `planted${'x'.repeat(40)}`;
    for (const value of [brought, 'a b; Domain=evil.example', 'a%0d%0aSet-Cookie:%20b']) {
      visitor.cookies.set(visitorName, value);
      const [cookie = ''] = (await visitor.get('/dashboard/sign-in')).headers.getSetCookie();
      expect(cookie).toMatch(
        /^__Host-whorl_dashboard_visitor=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      );
      expect(cookie).not.toContain(value);
    }
  });

  test("limits its cookies to the dashboard's path over http", async () => {
    const app = await openSecondApp({ ...service.service, publicUrl: 'http://fraud.example' });
    const [cookie] = (await visitorOf(app).get('/dashboard/sign-in')).headers.getSetCookie();
    expect(cookie).toMatch(
      /^whorl_dashboard_visitor=[\w-]{43}; Max-Age=3600; Path=\/dashboard; HttpOnly; SameSite=Lax$/,
    );
    await app.close();
  });

  test('ends the session at sign-out', async () => {
    const admin = await adminOf(service, email);
    await admin.get('/dashboard');
    const token = admin.cookies.get(sessionName) ?? '';
    expect(locationOf(await admin.submit('sign-out'))).toBe('/dashboard/sign-in');
    expect(admin.cookies.get(sessionName)).toBe('');
    admin.cookies.set(sessionName, token);
    expect(await isIn(admin)).toBe(false);
  });

  test('ends sessions after 12 idle hours and after 7 days, and deletes them', async () => {
    const [idle, busy] = [await adminOf(service, email), await adminOf(service, `other-${email}`)];
    for (let times = 1; times <= 15; times++) {
      service.clock.advance(11 * hourMs);
      expect(await isIn(busy)).toBe(true);
    }
    expect(await isIn(idle)).toBe(false);
    service.clock.advance(4 * hourMs);
    expect(await isIn(busy)).toBe(false);
    await removeOldRows(service.service);
    expect(await service.db.selectFrom('admin_sessions').selectAll().execute()).toEqual([]);
    expect(await service.db.selectFrom('sign_in_failures').selectAll().execute()).toEqual([]);
  });

  test('lists the sessions with device and network, and ends each of them', async () => {
    const admin = await adminOf(service, email);
    const [phone, desktop] = [visitorOf(service), visitorOf(service)];
    const agents = {
      phone:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      desktop: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    };
    for (const [who, agent] of [
      [phone, agents.phone],
      [desktop, agents.desktop],
    ] as const) {
      await who.get('/dashboard/sign-in');
      await who.submit('sign-in', { email, password }, { 'X-Forwarded-For': address, 'User-Agent': agent });
    }
    const page = await phone.get('/dashboard/account');
    expect(page.text).toMatch(/Firefox on Linux 198\.18\.\S+ .*Safari on iOS \(this one\) 198\.18\./);
    // The use is recorded once a minute, with the network it comes from.
    service.clock.advance(2 * minuteMs);
    await desktop.get('/dashboard', { 'X-Forwarded-For': '203.0.113.99' });
    expect((await phone.get('/dashboard/account')).text).toMatch(/Firefox on Linux 203\.0\.113\.99/);
    const ends = formsOf((await phone.get('/dashboard/account')).html).filter(({ action }) => action.endsWith('/end'));
    expect(ends).toHaveLength(2);
    for (const { action, fields } of ends)
      expect((await phone.post(action, Object.fromEntries(fields))).status).toBe(303);
    expect([await isIn(phone), await isIn(desktop), await isIn(admin)]).toEqual([true, false, false]);
  });

  test('ends no session of another account', async () => {
    const [admin, other] = [await adminOf(service, email), await adminOf(service, `other-${email}`)];
    const [session] = await service.db
      .selectFrom('admin_sessions')
      .innerJoin('admins', 'admins.id', 'admin_sessions.admin_id')
      .select(['admin_sessions.id'])
      .orderBy('admin_sessions.created_at', 'desc')
      .orderBy('admin_sessions.id', 'desc')
      .limit(1)
      .execute();
    await admin.get('/dashboard/account');
    expect((await admin.post(`/dashboard/account/sessions/${session?.id}/end`)).status).toBe(303);
    expect(await isIn(other)).toBe(true);
  });

  test('allows changing the password, which ends all other sessions', async () => {
    const admin = await adminOf(service, email);
    await enter(visitor);
    expect(await isIn(visitor)).toBe(true);
    expect((await admin.get('/dashboard/account')).text).toContain(`You are signed in as ${email}.`);
    const next = 'another horse, another battery';
    const wrong = await admin.submit('password', { current: 'not the password', next });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This password is wrong.')]);
    const weak = await admin.submit('password', { current: password, next: 'passwordpassword' });
    expect([weak.status, weak.text]).toEqual([422, expect.stringContaining('This password is too easy to guess.')]);
    const short = await admin.submit('password', { current: password, next: 'short' });
    expect([short.status, short.text]).toEqual([
      422,
      expect.stringContaining('at least 12 characters. This one has 5'),
    ]);
    expect((await admin.submitAndFollow('password', { current: password, next })).text).toContain('was changed');
    expect((await admin.get('/dashboard/account')).text).not.toContain('was changed');
    expect(await isIn(visitor)).toBe(false);
    expect((await enter(visitor)).status).toBe(422);
    expect((await enter(visitor, { password: next })).status).toBe(303);
  });

  describe('with a password that changes during the check', () => {
    const next = 'another horse, another battery';
    const setNext = () => adminOf(service, email, next);
    const remove = () => removeMemberByEmail(service.service, email).catch(() => undefined);

    test.each([
      ['a new one is set', setNext],
      ['the account is removed', remove],
    ])('creates no session: %s', async (_, meanwhile) => {
      await adminOf(service, email);
      const overtaken = interleavedService(service.service, meanwhile);
      const credentials = { email, password, address: undefined, previousToken: undefined };
      expect(await signIn(overtaken, credentials)).toEqual({ outcome: 'wrong' });
    });

    test('does not change the password by the old one', async () => {
      await adminOf(service, email);
      const { id: adminId = '' } = (await findAdminByEmail(service.db, service.service, email)) ?? {};
      const change = { adminId, email, current: password, next: 'a third horse', address: undefined, sessionToken: '' };
      expect(await changePassword(interleavedService(service.service, setNext), change)).toEqual({ outcome: 'wrong' });
      expect((await enter(visitor, { password: next })).status).toBe(303);
    });
  });
});
