import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hourMs, listMembers, minuteMs, parseRoleRules, type SignInOptions } from '../../src/testing.js';
import { administratorAt, adminOf, insertMember, password } from '../support/admin.js';
import { describeDatabases } from '../support/databases.js';
import { type OpenIdProvider, passProvider, signInWith, startOpenIdProvider } from '../support/openid-provider.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { visitorOf } from '../support/visitor.js';

const start = '/dashboard/sign-in/provider';

describeDatabases('signing in to the dashboard with OpenID Connect', (kind) => {
  let service: TestService;
  let provider: OpenIdProvider;
  let project: TestProject;
  let app: SecondApp;
  let person: string;
  let email: string;
  const apps: SecondApp[] = [];
  beforeAll(async () => {
    [service, provider] = await Promise.all([startService({ database: kind }), startOpenIdProvider()]);
    await insertMember(service.service, { email: 'first@example.com' });
    project = await service.newProject();
    app = await openApp(provider.options({ roles: rules() }));
  });
  afterAll(async () => {
    await Promise.all([...apps.map((each) => each.close()), provider.close()]);
    await service.close();
  });
  beforeEach(() => {
    person = randomUUID();
    email = `${person}@example.com`;
    provider.person = person;
    provider.people.set(person, { email, email_verified: true, groups: ['fraud'] });
  });

  const rules = () => parseRoleRules(`admins=owner; fraud=analyst of ${project.project.id}; cn=x,dc=y=owner`) ?? [];
  async function openApp(signIn: SignInOptions): Promise<SecondApp> {
    const opened = await openSecondApp({ ...service.service, memory: {}, signIn });
    apps.push(opened);
    return opened;
  }
  const browserAt = ({ url }: Pick<SecondApp, 'url'> = app) => ({
    visitor: visitorOf({ url }),
    cookies: new Map<string, string>(),
  });
  type Browser = ReturnType<typeof browserAt>;
  const isIn = async ({ visitor }: Browser) => (await visitor.get('/dashboard/account')).status === 200;
  const memberOf = async (address = email) =>
    (await listMembers(service.service, undefined)).find((member) => member.email === address);
  const rolesOf = async (address?: string) => [...((await memberOf(address))?.roles ?? [])];
  const entries = async () => {
    const rows = await service.db
      .selectFrom('audit_log')
      .select(['kind', 'actor', 'changes', 'details'])
      .orderBy('seq', 'desc')
      .limit(4)
      .execute();
    return rows.map(({ kind: name, actor, changes, details }) => ({ name, actor, changes, details }));
  };

  test('creates the member with the roles of the claim, and signs in', async () => {
    const browser = browserAt();
    const shown = await browser.visitor.get('/dashboard/sign-in?next=/dashboard/account');
    expect(shown.text).toContain('Sign in with Acme SSO');
    const href = /href="([^"]*sign-in\/provider[^"]*)"/.exec(shown.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const begun = await browser.visitor.get(href);
    expect(begun.headers.get('Set-Cookie')).toMatch(
      /^__Host-whorl_dashboard_flow=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const asked = new URL(begun.headers.get('Location') ?? '').searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('redirect_uri')).toBe('https://fraud.example/dashboard/sign-in/callback');
    const page = await browser.visitor.get(await passProvider(browser, begun));
    expect([page.status, page.headers.get('Refresh')]).toEqual([200, '0; url=/dashboard/account']);
    expect((await browser.visitor.get('/dashboard/account')).text).toContain(
      `You are signed in as ${email}, with Acme SSO.`,
    );
    expect(await rolesOf()).toEqual([[project.project.id, 'analyst']]);
    expect((await entries()).slice(0, 3)).toEqual([
      expect.objectContaining({ name: 'signed_in', actor: 'administrator', details: { by: 'OpenID Connect' } }),
      expect.objectContaining({ name: 'identity_linked', actor: 'administrator' }),
      expect.objectContaining({
        name: 'member_added',
        actor: 'OpenID Connect',
        changes: { role: { from: null, to: 'analyst' } },
      }),
    ]);
  });

  test('sets the roles again at each sign-in, and ends the sessions of a lesser role', async () => {
    const browser = browserAt();
    await signInWith(browser);
    provider.people.set(person, { email, email_verified: true, groups: ['admins', 'fraud'] });
    const other = browserAt();
    await signInWith(other);
    expect([await isIn(browser), (await memberOf())?.isOwner]).toEqual([true, true]);
    provider.people.set(person, { email, email_verified: true, groups: ['fraud'] });
    await signInWith(other);
    expect([await isIn(browser), await isIn(other), (await memberOf())?.isOwner]).toEqual([false, true, false]);
    expect((await entries())[1]).toMatchObject({
      name: 'member_removed',
      actor: 'OpenID Connect',
      changes: { role: { from: 'owner', to: null } },
    });
  });

  test('refuses somebody without a role, whose account and sessions end', async () => {
    const browser = browserAt();
    await signInWith(browser);
    provider.people.set(person, { email, email_verified: true, groups: [] });
    const refused = await signInWith(browserAt());
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('Your account has no role in this service.'),
    ]);
    expect([await isIn(browser), await memberOf()]).toEqual([false, undefined]);
    expect((await entries())[0]).toMatchObject({
      name: 'sign_in_failed',
      details: { by: 'OpenID Connect', reason: 'no_role' },
    });
    expect((await signInWith(browserAt())).status).toBe(403);
  });

  test('ends a session after 12 hours at most', async () => {
    const browser = browserAt();
    await signInWith(browser);
    service.clock.advance(11.5 * hourMs);
    expect(await isIn(browser)).toBe(true);
    service.clock.advance(hourMs);
    expect(await isIn(browser)).toBe(false);
  });

  test('knows people by issuer and subject, whatever their address is later', async () => {
    await signInWith(browserAt());
    const changed = `new-${email}`;
    provider.people.set(person, { email: changed, email_verified: true, groups: ['fraud'] });
    await signInWith(browserAt());
    expect([await memberOf(), await rolesOf(changed)]).toEqual([undefined, [[project.project.id, 'analyst']]]);
    provider.people.set(person, { email, email_verified: false, groups: ['fraud'] });
    await signInWith(browserAt());
    expect((await memberOf(changed))?.isLinked).toBe(true);
  });

  test('does not sign in the same subject, or address, of another provider', async () => {
    await signInWith(browserAt());
    const id = (await memberOf())?.id;
    const evil = await startOpenIdProvider();
    evil.person = person;
    evil.people.set(person, { email, email_verified: true, groups: ['admins'] });
    const other = browserAt(await openApp(evil.options({ roles: rules() })));
    const refused = await signInWith(other);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Another account already uses')]);
    evil.people.set(person, { email: `evil-${email}`, email_verified: true, groups: ['fraud'] });
    await signInWith(other);
    expect((await memberOf(`evil-${email}`))?.id).not.toBe(id);
    // An answer of one provider does not finish a sign-in that was begun with another.
    const mixed = browserAt();
    const back = await passProvider(mixed, await mixed.visitor.get(start));
    mixed.visitor.cookies.set(
      '__Host-whorl_dashboard_flow',
      other.visitor.cookies.get('__Host-whorl_dashboard_flow') ?? '',
    );
    expect((await mixed.visitor.get(back)).text).toContain('This sign-in has expired');
    await evil.close();
  });

  test('takes over an account with a password only by a verified address, and the password ends', async () => {
    const owner = await adminOf(service, email);
    provider.people.set(person, { email, groups: ['fraud'] });
    const unverified = await signInWith(browserAt());
    expect([unverified.status, unverified.text]).toEqual([403, expect.stringContaining('has not verified')]);
    expect((await owner.get('/dashboard/account')).status).toBe(200);
    provider.people.set(person, { email, email_verified: true, groups: ['fraud'] });
    expect((await signInWith(browserAt())).status).toBe(200);
    expect((await owner.get('/dashboard/account')).status).toBe(303);
    const visitor = visitorOf(app);
    await visitor.get('/dashboard/sign-in');
    expect((await visitor.submit('sign-in', { email, password })).status).toBe(422);
    expect(await memberOf()).toMatchObject({ isOwner: false, isLinked: true });
  });

  test('trusts an address about which the provider says nothing only if told so', async () => {
    const trusting = browserAt(await openApp(provider.options({ roles: rules(), trustsEmail: true })));
    provider.people.set(person, { email, email_verified: false, groups: ['fraud'] });
    expect((await signInWith(trusting)).status).toBe(403);
    provider.people.set(person, { email, groups: ['fraud'] });
    expect((await signInWith(trusting)).status).toBe(200);
  });

  test('finishes only in the browser that began, once, and with its own code', async () => {
    const victim = browserAt();
    const attacker = browserAt();
    const attackers = await passProvider(attacker, await attacker.visitor.get(start));
    // Sign-in of the victim to the attacker's account.
    expect((await victim.visitor.get(attackers)).status).toBe(400);
    // The attacker's code in the victim's sign-in.
    const own = await passProvider(victim, await victim.visitor.get(start));
    const injected = new URL(own);
    injected.searchParams.set('code', new URL(attackers).searchParams.get('code') ?? '');
    const flow = victim.visitor.cookies.get('__Host-whorl_dashboard_flow') ?? '';
    expect((await victim.visitor.get(injected.href)).status).toBe(502);
    victim.visitor.cookies.set('__Host-whorl_dashboard_flow', flow);
    expect((await victim.visitor.get(own)).status).toBe(200);
    expect((await victim.visitor.get(own)).status).toBe(400);
    // Even with a copy of the cookie, the provider accepts the code once.
    victim.visitor.cookies.set('__Host-whorl_dashboard_flow', flow);
    expect((await victim.visitor.get(own)).status).toBe(502);
    victim.visitor.cookies.set('__Host-whorl_dashboard_flow', `${flow.slice(0, -4)}AAAA`);
    expect((await victim.visitor.get(own)).status).toBe(400);
  });

  test('refuses the answer of another issuer, and one that comes late', async () => {
    const browser = browserAt();
    const back = new URL(await passProvider(browser, await browser.visitor.get(start)));
    back.searchParams.set('iss', 'https://evil.example');
    expect((await browser.visitor.get(back.href)).status).toBe(502);
    const late = await passProvider(browser, await browser.visitor.get(start));
    service.clock.advance(11 * minuteMs);
    expect((await browser.visitor.get(late)).status).toBe(400);
  });

  test('opens only pages of the dashboard after sign-in', async () => {
    for (const next of ['https://evil.example/dashboard', '//evil.example/dashboard', '/docs', 'javascript:alert(1)']) {
      const page = await signInWith(browserAt(), `${start}?${new URLSearchParams({ next })}`);
      expect(page.headers.get('Refresh')).toBe('0; url=/dashboard');
    }
  });

  test('says that the person cancelled, and records it', async () => {
    provider.person = undefined;
    const page = await signInWith(browserAt());
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('Acme SSO did not sign you in.')]);
    expect((await entries())[0]).toMatchObject({ name: 'sign_in_failed', details: { reason: 'declined' } });
  });

  test('still accepts passwords while the provider is down', async () => {
    const down = await startOpenIdProvider();
    const { visitor } = browserAt(await openApp(down.options()));
    await down.close();
    const page = await visitor.get(start);
    expect([page.status, page.text]).toEqual([503, expect.stringContaining('Acme SSO cannot be reached.')]);
    await adminOf(service, email);
    await visitor.get('/dashboard/sign-in');
    expect((await visitor.submit('sign-in', { email, password })).status).toBe(303);
  });

  test('needs no second factor of ours', async () => {
    const owner = await administratorAt(service.url, service.service, `owner-${email}`);
    await owner.get('/dashboard/account/second-factor');
    await owner.submit('installation/second-factor', { required: 'on' });
    const browser = browserAt();
    await signInWith(browser);
    expect(await isIn(browser)).toBe(true);
    expect((await browser.visitor.get('/dashboard/projects')).status).toBe(200);
    await owner.get('/dashboard/account/second-factor');
    await owner.post('/dashboard/installation/second-factor', {});
  });
});
