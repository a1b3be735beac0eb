import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  changeAccess,
  createLog,
  inviteMember,
  listMembers,
  makeFirstAdminLink,
  makeResetLink,
  parseRoleRules,
  removeMemberByEmail,
  type Service,
  type SignInOptions,
  startServer,
} from '../../src/testing.js';
import { adminOf, insertMember, password } from '../support/admin.js';
import { createDatabase, describeDatabases } from '../support/databases.js';
import { type OpenIdProvider, signInWith, startOpenIdProvider } from '../support/openid-provider.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { configFor, startService, type TestService } from '../support/service.js';
import { type Visitor, visitorOf } from '../support/visitor.js';

const emergencyOwner = 'emergency@example.com';

describeDatabases('the dashboard with passwords switched off', (kind) => {
  let service: TestService;
  let provider: OpenIdProvider;
  let off: Service;
  let app: SecondApp;
  let person: string;
  let email: string;
  beforeAll(async () => {
    [service, provider] = await Promise.all([startService({ database: kind }), startOpenIdProvider()]);
    off = withSignIn({ ...provider.options(), localPasswords: false, emergencyOwner });
    app = await openSecondApp(off);
    await adminOf(service, emergencyOwner);
  });
  afterAll(async () => {
    await Promise.all([app.close(), provider.close()]);
    await service.close();
  });
  beforeEach(() => {
    person = randomUUID();
    email = `${person}@example.com`;
    provider.person = person;
    provider.people.set(person, { email, email_verified: true });
  });

  const withSignIn = (signIn: SignInOptions): Service => ({ ...service.service, memory: {}, signIn });
  const enterPassword = async (visitor: Visitor, typed: string) => {
    await visitor.get('/dashboard/sign-in');
    return visitor.submit('sign-in', { email: typed, password });
  };
  const browser = () => ({ visitor: visitorOf(app), cookies: new Map<string, string>() });
  const memberOf = async (address: string) =>
    (await listMembers(service.service, undefined)).find((member) => member.email === address);

  test('accepts the password of the emergency owner only, and ends the sessions of others', async () => {
    const owner = await adminOf(service, email);
    const session = visitorOf(app);
    for (const [name, value] of owner.cookies) session.cookies.set(name, value);
    expect((await session.get('/dashboard/account')).status).toBe(303);
    const visitor = visitorOf(app);
    expect((await enterPassword(visitor, email)).status).toBe(422);
    const page = await visitor.get('/dashboard/sign-in');
    expect(page.text).toContain('Sign in as the emergency owner');
    expect((await enterPassword(visitor, emergencyOwner)).status).toBe(303);
    expect((await visitor.get('/dashboard/account')).text).toContain('Change password');
  });

  test('never links the emergency owner', async () => {
    provider.people.set(person, { email: emergencyOwner, email_verified: true });
    const refused = await signInWith(browser());
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('the emergency owner')]);
    expect(await memberOf(emergencyOwner)).toMatchObject({ isLinked: false });
  });

  test('keeps the emergency owner', async () => {
    await insertMember(off, { email });
    const { project } = await service.newProject();
    const memberId = (await memberOf(emergencyOwner))?.id ?? '';
    const lowered = { memberId, scope: undefined, access: { role: 'viewer', project }, origin: {} } as const;
    await expect(changeAccess(off, lowered)).rejects.toThrow('This is the emergency owner');
    await expect(removeMemberByEmail(off, emergencyOwner)).rejects.toThrow('This is the emergency owner');
  });

  test('creates links for passwords only for the emergency owner', async () => {
    const before = await makeResetLink(service.service, emergencyOwner);
    expect((await visitorOf(app).open(before)).status).toBe(200);
    await insertMember(off, { email });
    await expect(makeResetLink(off, email)).rejects.toThrow('signs in with the OpenID Connect provider');
    const older = await makeResetLink(service.service, email);
    expect((await visitorOf(app).open(older)).status).toBe(403);
  });

  test('accepts an invitation by the verified address, without a password', async () => {
    const { project } = await service.newProject();
    await inviteMember(off, { email, access: { role: 'analyst', project } });
    const mail = service.mails.findLast(({ to }) => to === email)?.text ?? '';
    expect(mail).toContain('open this link and sign in with Acme SSO:');
    const invited = browser();
    const page = await invited.visitor.open(/https:\S+/.exec(mail)?.[0] ?? '');
    expect([page.text.includes('Sign in with Acme SSO'), page.html.includes('type="password"')]).toEqual([true, false]);
    expect((await invited.visitor.post('/dashboard/set-up', { password })).status).toBe(403);
    provider.people.set(person, { email, email_verified: false });
    expect((await signInWith(invited)).status).toBe(403);
    provider.people.set(person, { email, email_verified: true });
    expect((await signInWith(invited)).status).toBe(200);
    expect([...((await memberOf(email))?.roles ?? [])]).toEqual([[project.id, 'analyst']]);
    expect((await invited.visitor.open(/https:\S+/.exec(mail)?.[0] ?? '')).status).toBe(403);
  });

  test('refuses somebody who was not invited, if roles are given on the dashboard', async () => {
    const refused = await signInWith(browser());
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Nobody has invited')]);
  });

  test('needs no invitations if the provider gives the roles', async () => {
    const roles = parseRoleRules('admins=owner') ?? [];
    const claimed = withSignIn({ ...provider.options({ roles }), localPasswords: false, emergencyOwner });
    const { project } = await service.newProject();
    const invited = inviteMember(claimed, { email, access: { role: 'analyst', project } });
    await expect(invited).rejects.toThrow('Members get their roles from Acme SSO');
  });

  test('starts only with an emergency owner that has a password', async () => {
    const database = await createDatabase(kind);
    const environment = {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'whorl',
      OIDC_CLIENT_SECRET: provider.options().provider.clientSecret,
      LOCAL_PASSWORDS: 'false',
      EMERGENCY_OWNER: emergencyOwner,
    };
    const config = configFor(database.options, environment);
    const start = () => startServer(config, { log: createLog('silent') });
    // Without any account, the link for the first one is for the emergency owner.
    const first = await start();
    const link = (await makeFirstAdminLink(first.service)) ?? '';
    const visitor = visitorOf(first);
    const premature = await signInWith({ visitor: visitorOf(first), cookies: new Map() });
    expect([premature.status, premature.text]).toEqual([403, expect.stringContaining('has no owner yet')]);
    await visitor.open(link);
    const other = await visitor.submit('set-up', { email, password });
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('EMERGENCY_OWNER')]);
    expect((await visitor.submit('set-up', { email: emergencyOwner, password })).status).toBe(303);
    await first.close();
    const second = await start();
    await second.service.db.updateTable('admins').set({ is_owner: false }).execute();
    await second.close();
    await expect(start()).rejects.toThrow('LOCAL_PASSWORDS=false needs an owner');
    await database.drop();
  });
});
