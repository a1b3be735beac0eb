import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  dayMs,
  hourMs,
  inviteMember,
  makeFirstAdminLink,
  makeResetLink,
  minuteMs,
  removeMemberByEmail,
} from '../../src/testing.js';
import { adminOf, ownerInvitation, password, sectionOf } from '../support/admin.js';
import { describeDatabases } from '../support/databases.js';
import { startService, type TestService } from '../support/service.js';
import { isIn, locationOf, sessionName, signInFormOf } from '../support/sign-in-form.js';
import { type Visitor, visitorOf } from '../support/visitor.js';

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

  const enter = signInFormOf(() => ({ email, address }));

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
    // A form is not sent again.
    const project = await service.newProject();
    const lost = await visitorOf(service).post(sectionOf(project, 'lists'), { kind: 'user', value: 'eve' });
    const page = await visitorOf(service).get(locationOf(lost) ?? '');
    expect(page.text).toContain('Nothing was saved, because you were no longer signed in.');
    const searched = await visitorOf(service).post(sectionOf(project, 'users/search'), { q: 'eve' });
    expect(locationOf(searched)).toBe('/dashboard/sign-in');
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

  test('shows an error page for unknown projects and URLs, and takes a slash at the end', async () => {
    const admin = await adminOf(service, email);
    const { project } = await service.newProject();
    for (const path of [`${project.id}/other`, `${randomUUID()}/live`, 'nonsense/live']) {
      const page = await admin.get(`/dashboard/${path}/overview`);
      expect([page.status, page.text]).toEqual([404, expect.stringContaining('This project does not exist.')]);
    }
    const nowhere = await admin.get(`/dashboard/${project.id}/live/nothing`);
    expect([nowhere.status, nowhere.text]).toEqual([404, expect.stringContaining('There is no page at this address.')]);
    for (const path of ['/dashboard', '/dashboard/members', '/dashboard//other.example']) {
      const shown = await admin.get(`${path}/`);
      expect([shown.status, locationOf(shown)]).toEqual([303, path]);
    }
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
