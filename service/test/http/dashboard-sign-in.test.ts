import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  attemptSubjectsOf,
  changePassword,
  countAttempt,
  dayMs,
  findAdminByEmail,
  forgetFailures,
  hourMs,
  inviteMember,
  lockFailures,
  makeFirstAdminLink,
  makeResetLink,
  minuteMs,
  removeMemberByEmail,
  removeOldRows,
  signIn,
} from '../../src/testing.js';
import { adminOf, ownerInvitation, password, sectionOf } from '../support/admin.js';
import { describeDatabases } from '../support/databases.js';
import { formsOf } from '../support/forms.js';
import { interleavedService } from '../support/interleaving.js';
import { openSecondApp } from '../support/second-app.js';
import { startService, type TestService } from '../support/service.js';
import { type SeenPage, type Visitor, visitorOf } from '../support/visitor.js';
import { waitFor } from '../support/wait-for.js';

/** Name of the cookie over https. */
const sessionName = '__Host-whorl_dashboard';
const visitorName = '__Host-whorl_dashboard_visitor';

describeDatabases('signing in to the dashboard', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database: kind });
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

  const waitOf = ({ headers }: SeenPage) => Number(headers.get('Retry-After'));
  const locationOf = ({ headers }: SeenPage) => headers.get('Location');
  /** Submits the form, which the browser has loaded before. */
  const enter = async (who: Visitor, fields: Record<string, string> = {}, from = address): Promise<SeenPage> => {
    await who.get('/dashboard/sign-in');
    return who.submit('sign-in', { email, password, ...fields }, { 'X-Forwarded-For': from });
  };
  const isAnyoneWaiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `.execute(service.db);
    return rows.length > 0;
  };
  const isIn = async (who: Visitor) => (await who.get('/dashboard/projects')).status === 200;

  test('starts with a link that creates the first owner, once', async () => {
    await service.db.deleteFrom('admins').execute();
    const [link = '', other = ''] = [
      await makeFirstAdminLink(service.service),
      await makeFirstAdminLink(service.service),
    ];
    expect(await visitor.open('/dashboard')).toMatchObject({ text: expect.stringContaining('no administrator yet') });
    const shown = await visitor.get(link);
    expect([shown.status, locationOf(shown)]).toEqual([303, '/dashboard/set-up']);
    expect((await visitor.open(link)).text).toContain('Create the first account, an owner.');
    const short = await visitor.submit('set-up', { email: 'nonsense', password: 'too short' });
    expect(short.status).toBe(422);
    expect(short.text).toMatch(/This is not a valid email address.*at least 12 characters\. This one has 9/);
    const weak = await visitor.submit('set-up', { email, password: email });
    expect(weak.text).toMatch(/This password is too easy to guess\. There should not be any personal/);
    const done = await visitor.submit('set-up', { email, password });
    expect([done.status, locationOf(done)]).toEqual([303, '/dashboard']);
    // The only project.
    expect((await visitor.open('/dashboard')).text).toContain('default');
    for (const used of [link, other]) {
      expect(await visitorOf(service).open(used)).toMatchObject({ status: 403 });
    }
    expect(await makeFirstAdminLink(service.service)).toBeUndefined();
  });

  describe('a link', () => {
    const gone = expect.objectContaining({
      status: 403,
      text: expect.stringContaining('This link is no longer valid'),
    });

    test.each([
      ['an invitation', 'three days', 3 * dayMs],
      ['a reset', 'an hour', hourMs],
    ])('for %s works for %s, and once', async (purpose, _, lifetimeMs) => {
      await adminOf(service, email);
      const makeLink = () =>
        purpose === 'a reset' ? makeResetLink(service.service, email) : ownerInvitation(service, `new-${email}`);
      const late = await makeLink();
      service.clock.advance(lifetimeMs - minuteMs);
      expect((await visitor.open(late)).status).toBe(200);
      service.clock.advance(minuteMs);
      expect(await visitor.open(late)).toEqual(gone);
      const link = await makeLink();
      const [one, other] = [visitorOf(service), visitorOf(service)];
      for (const each of [one, other]) await each.open(link);
      const answers = await Promise.all([
        one.submit('set-up', { password }),
        other.submit('set-up', { password: 'another horse, another battery' }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
      expect(await visitor.open(link)).toEqual(gone);
    });

    test('whose form is sent twice signs in both times', async () => {
      const link = await ownerInvitation(service, email);
      const tabs = [visitor, visitorOf(service), visitorOf(service)];
      for (const tab of tabs) await tab.open(link);
      const send = (tab: Visitor) => tab.submit('set-up', { email: tab.fields().get('email') ?? '', password });
      const answers = await Promise.all(tabs.slice(0, 2).map(send));
      answers.push(...(await Promise.all(tabs.slice(2).map(send))));
      expect(answers.map(locationOf)).toEqual(Array(3).fill('/dashboard'));
      expect(await Promise.all(tabs.map(isIn))).toEqual([true, true, true]);
    });

    test('for an invitation creates an account with its own email address, regardless of the input', async () => {
      const other = await adminOf(service, `other-${email}`);
      const page = await visitor.open(await ownerInvitation(service, email));
      expect(page.text).toContain('Choose a password to create your account.');
      expect(page.text).toContain(`Account: ${email}`);
      await visitor.submit('set-up', { email: `other-${email}`, password: 'another horse, another battery' });
      expect((await visitor.get('/dashboard/account')).text).toContain(`You are signed in as ${email}.`);
      expect(await isIn(other)).toBe(true);
      expect((await enter(visitorOf(service), { email: `other-${email}` })).status).toBe(303);
    });

    test('for an invitation does not change an existing account', async () => {
      const link = await ownerInvitation(service, email);
      await visitor.open(link);
      const admin = await adminOf(service, email);
      expect(await visitor.submit('set-up', { password: 'another horse, another battery' })).toEqual(gone);
      expect(await visitorOf(service).open(link)).toEqual(gone);
      expect(await isIn(admin)).toBe(true);
      expect((await enter(visitorOf(service))).status).toBe(303);
      const again = { email: email.toUpperCase(), access: { role: 'owner' } } as const;
      await expect(inviteMember(service.service, again)).rejects.toThrow('is an owner, who already has');
    });

    test('for a reset changes only its own account', async () => {
      await adminOf(service, email);
      const other = await adminOf(service, `other-${email}`);
      const page = await visitor.open(await makeResetLink(service.service, email));
      expect(page.text).toContain(`Account: ${email}`);
      await visitor.submit('set-up', { email: `other-${email}`, password: 'another horse, another battery' });
      expect(await isIn(other)).toBe(true);
      expect((await enter(visitorOf(service), { email: `other-${email}` })).status).toBe(303);
      expect((await enter(visitorOf(service))).status).toBe(422);
      expect((await enter(visitorOf(service), { password: 'another horse, another battery' })).status).toBe(303);
    });

    test('for a reset is revoked with its account, by a newer link, and by its use', async () => {
      await adminOf(service, email);
      const [first, second] = [
        await makeResetLink(service.service, email),
        await makeResetLink(service.service, email),
      ];
      expect(await visitor.open(first)).toEqual(gone);
      expect((await visitor.open(second)).status).toBe(200);
      await removeMemberByEmail(service.service, email);
      await adminOf(service, email);
      expect(await visitor.submit('set-up', { password: 'another horse, another battery' })).toEqual(gone);
      await expect(makeResetLink(service.service, `nobody-${email}`)).rejects.toThrow('There is no member');
    });
  });

  test('stores no passwords, tokens or email addresses in plain text', async () => {
    const admin = await adminOf(service, email);
    const rows = await service.db.selectFrom('admins').selectAll().execute();
    const sessions = await service.db.selectFrom('admin_sessions').selectAll().execute();
    expect(rows.at(-1)?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const kept = [...rows, ...sessions].flatMap((row) => Object.values(row));
    const text = kept
      .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : `${value}`))
      .join(' ');
    for (const secret of [password, email, admin.cookies.get(sessionName) ?? '']) expect(text).not.toContain(secret);
  });

  test('redirects to the requested page of the dashboard, and to no other site', async () => {
    await adminOf(service, email);
    const wanted = `${sectionOf(await service.newProject(), 'overview')}?period=7d`;
    const led = await visitor.get(wanted);
    expect([led.status, locationOf(led)]).toEqual([303, `/dashboard/sign-in?next=${encodeURIComponent(wanted)}`]);
    await visitor.get(locationOf(led) ?? '');
    const next = visitor.fields().get('next') ?? '';
    expect(locationOf(await visitor.submit('sign-in', { email, password, next }))).toBe(wanted);
    const evil = await enter(visitorOf(service), { next: 'https://evil.example/dashboard' });
    expect(locationOf(evil)).toBe('/dashboard');
  });

  test('responds the same to a wrong password and an unknown account', async () => {
    await adminOf(service, email);
    const wrong = await enter(visitor, { password: 'not the password' });
    const nobody = await enter(visitorOf(service), { email: `${randomUUID()}@example.com` });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('The email address or password is wrong.');
    expect([nobody.status, nobody.text]).toEqual([wrong.status, wrong.text]);
    expect(await isIn(visitor)).toBe(false);
  });

  describe('wrong passwords', () => {
    test.each(['of an account', 'of nobody'])(
      '%s make their source wait, longer each time, also with right ones',
      async (whose) => {
        await adminOf(service, whose === 'of an account' ? email : `other-${email}`);
        const tries = [];
        for (let times = 1; times <= 6; times++) {
          tries.push((await enter(visitor, { password: 'not the password' })).status);
        }
        expect(tries).toEqual([422, 422, 422, 422, 422, 429]);
        const locked = await enter(visitor);
        expect(locked.status).toBe(429);
        expect(locked.text).toMatch(/Too many wrong passwords. Try again in \d+ seconds./);
        expect(waitOf(locked)).toSatisfy((seconds: number) => seconds > 0 && seconds <= 30);
        service.clock.advance(30_000);
        expect((await enter(visitor, { password: 'not the password' })).status).toBe(422);
        expect(waitOf(await enter(visitor))).toSatisfy((seconds: number) => seconds > 30 && seconds <= 60);
        service.clock.advance(minuteMs);
        expect((await enter(visitor)).status).toBe(whose === 'of an account' ? 303 : 422);
      },
    );

    test('from other sources do not lock the owner out', async () => {
      await adminOf(service, email);
      for (let times = 1; times <= 10; times++) await enter(visitor, { password: 'not the password' }, '198.51.100.40');
      expect((await enter(visitor, {}, '198.51.100.40')).status).toBe(429);
      expect((await enter(visitorOf(service))).status).toBe(303);
    });

    test('from many sources are limited per account, except from known sources', async () => {
      await adminOf(service, email);
      expect((await enter(visitorOf(service))).status).toBe(303);
      const wrong = { password: 'not the password' };
      await visitor.get('/dashboard/sign-in');
      const many = Array.from({ length: 50 }, (_, at) =>
        visitor.submit('sign-in', { email, ...wrong }, { 'X-Forwarded-For': `198.51.101.${at}` }),
      );
      for (const { status } of await Promise.all(many)) expect(status).toBe(422);
      const stranger = await enter(visitor, wrong, '198.51.101.100');
      expect([stranger.status, waitOf(stranger)]).toEqual([429, expect.any(Number)]);
      expect((await enter(visitorOf(service))).status).toBe(303);
      expect((await enter(visitor, {}, '198.51.101.101')).status).toBe(429);
      // A successful sign-in of the owner gives attackers no new attempts.
      service.clock.advance(30_000);
      expect((await enter(visitor, wrong, '198.51.101.102')).status).toBe(422);
      expect(waitOf(await enter(visitor, wrong, '198.51.101.103'))).toBeGreaterThan(30);
      await adminOf(service, email);
      expect((await enter(visitorOf(service), {}, '198.51.101.104')).status).toBe(303);
    });

    test('count also in the form for a new password', async () => {
      const admin = await adminOf(service, email);
      await admin.get('/dashboard/account');
      const tries = [];
      for (let times = 1; times <= 6; times++) {
        const wrong = { current: 'not the password', next: 'another horse, another battery' };
        tries.push((await admin.submit('password', wrong, { 'X-Forwarded-For': address })).text);
      }
      expect(tries.at(-2)).toContain('This password is wrong.');
      expect(tries.at(-1)).toContain('Too many wrong passwords.');
      expect((await enter(visitor)).status).toBe(429);
    });

    test('count per source for all accounts, and not while the source is locked', async () => {
      await adminOf(service, email);
      const from = '203.0.113.77';
      await visitor.get('/dashboard/sign-in');
      const wrong = (who: string) => ({ email: who, password: 'not the password' });
      const all = Array.from({ length: 20 }, (_, at) =>
        visitor.submit('sign-in', wrong(`${at}-${email}`), { 'X-Forwarded-For': from }),
      );
      for (const { status } of await Promise.all(all)) expect(status).toBe(422);
      for (let times = 1; times <= 5; times++) expect((await enter(visitor, wrong(email), from)).status).toBe(429);
      expect((await enter(visitor, {}, '203.0.113.78')).status).toBe(303);
    });

    test('are limited the same if sent concurrently', async () => {
      await adminOf(service, email);
      await visitor.get('/dashboard/sign-in');
      const wrong = { email, password: 'not the password' };
      const all = Array.from({ length: 8 }, () => visitor.submit('sign-in', wrong, { 'X-Forwarded-For': address }));
      const statuses = (await Promise.all(all)).map(({ status }) => status).sort();
      expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429, 429]);
    });
  });

  // The embedded database runs one transaction at a time.
  const testOfMany = kind === 'postgresql' ? test : undefined;
  testOfMany?.('counts on where another request forgets the tries meanwhile', async () => {
    const trying = await attemptSubjectsOf(service.db, service.service, email, undefined);
    await countAttempt(service.service, trying);
    const other = await service.db.transaction().execute(async (trx) => {
      await lockFailures(trx, trying.account, service.service.now());
      const waiting = countAttempt(service.service, trying);
      await waitFor(() => isAnyoneWaiting(), { what: 'the second to wait for the first' });
      await forgetFailures(trx, trying.account);
      return { waiting };
    });
    expect(await other.waiting).toBe(0);
  });

  test('rejects forms from other sites', async () => {
    const admin = await adminOf(service, email);
    const csrf = { csrf: 'AAAA' };
    expect((await visitor.post('/dashboard/sign-in', { email, password })).status).toBe(403);
    await visitor.get('/dashboard/sign-in');
    expect((await visitor.post('/dashboard/sign-in', { email, password, ...csrf })).status).toBe(403);
    expect((await visitor.submit('sign-in', { email, password }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    await admin.get('/dashboard');
    expect((await admin.post('/dashboard/sign-out', csrf)).status).toBe(403);
    await admin.get('/dashboard');
    expect((await admin.submit('sign-out', {}, { Origin: 'https://evil.example' })).status).toBe(403);
    const stranger = await adminOf(service, `other-${email}`);
    await stranger.get('/dashboard');
    expect((await admin.post('/dashboard/sign-out', { csrf: stranger.fields().get('csrf') ?? '' })).status).toBe(403);
    expect(await isIn(admin)).toBe(true);
  });

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

  test('resets a forgotten password by a link, which ends all sessions', async () => {
    const admin = await adminOf(service, email);
    const again = await adminOf(service, email.toUpperCase());
    expect([await isIn(admin), await isIn(again)]).toEqual([false, true]);
    const other = await adminOf(service, `other-${email}`);
    expect((await other.get('/dashboard/members')).text).toContain(` ${email} `);
    await removeMemberByEmail(service.service, email);
    expect((await other.get('/dashboard/members')).text).not.toContain(` ${email} `);
    expect(await isIn(again)).toBe(false);
  });

  test('shows an error page for unknown projects and URLs', async () => {
    const admin = await adminOf(service, email);
    const { project } = await service.newProject();
    for (const path of [`${project.id}/other`, `${randomUUID()}/live`, 'nonsense/live']) {
      const page = await admin.get(`/dashboard/${path}/overview`);
      expect([page.status, page.text]).toEqual([404, expect.stringContaining('This project does not exist.')]);
    }
    const nowhere = await admin.get(`/dashboard/${project.id}/live/nothing`);
    expect([nowhere.status, nowhere.text]).toEqual([404, expect.stringContaining('There is no page at this address.')]);
  });

  test('forbids frames, other origins and caching', async () => {
    const { headers } = await visitor.get('/dashboard/sign-in');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy':
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000',
    });
  });
});
