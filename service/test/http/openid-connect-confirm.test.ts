import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { minuteMs, parseRoleRules } from '../../src/testing.js';
import { insertMember } from '../support/admin.js';
import { describeDatabases } from '../support/databases.js';
import { type OpenIdProvider, passProvider, signInWith, startOpenIdProvider } from '../support/openid-provider.js';
import { openSecondApp, type SecondApp } from '../support/second-app.js';
import { startService, type TestService } from '../support/service.js';
import { visitorOf } from '../support/visitor.js';

const start = '/dashboard/sign-in/provider';

describeDatabases('confirming sensitive actions with OpenID Connect', (kind) => {
  let service: TestService;
  let provider: OpenIdProvider;
  let app: SecondApp;
  let person: string;
  let email: string;
  beforeAll(async () => {
    [service, provider] = await Promise.all([startService({ database: kind }), startOpenIdProvider()]);
    await insertMember(service.service, { email: 'first@example.com' });
    const signIn = provider.options({ roles: parseRoleRules('admins=owner') ?? [] });
    app = await openSecondApp({ ...service.service, memory: {}, signIn });
  });
  afterAll(async () => {
    await Promise.all([app.close(), provider.close()]);
    await service.close();
  });
  beforeEach(() => {
    person = randomUUID();
    email = `${person}@example.com`;
    provider.person = person;
    provider.signedInSecondsAgo = 0;
    provider.people.set(person, { email, email_verified: true, groups: ['admins'] });
  });

  const browserAt = () => ({ visitor: visitorOf(app), cookies: new Map<string, string>() });
  const newest = async () => {
    const row = await service.db
      .selectFrom('audit_log')
      .select('kind')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.kind;
  };

  test('asks to sign in again for sensitive actions', async () => {
    const browser = browserAt();
    await signInWith(browser);
    const { visitor } = browser;
    const shown = await visitor.get('/dashboard/projects');
    const refused = await visitor.submit('projects', { name: 'Shop two', page: '/dashboard/projects' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Confirm with Acme SSO first.')]);
    const confirm = /href="([^"]*confirm=yes[^"]*)"/.exec(shown.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    provider.person = randomUUID();
    provider.people.set(provider.person, { email: `other-${email}`, email_verified: true, groups: ['admins'] });
    const another = await signInWith(browser, confirm);
    expect([another.status, another.text]).toEqual([
      403,
      expect.stringContaining('You signed in with another account'),
    ]);
    provider.person = person;
    const confirmed = await signInWith(browser, confirm);
    expect([confirmed.status, confirmed.headers.get('Refresh')]).toEqual([200, '0; url=/dashboard/projects']);
    expect(await newest()).toBe('sign_in_confirmed');
    await visitor.get('/dashboard/projects');
    expect((await visitor.submit('projects', { name: `Shop ${person}` })).text).toContain('Shop');
    service.clock.advance(11 * minuteMs);
    await visitor.get('/dashboard/projects');
    expect((await visitor.submit('projects', { name: 'Shop three' })).status).toBe(422);
  });

  test('does not confirm by a sign-in at the provider from before', async () => {
    const browser = browserAt();
    provider.signedInSecondsAgo = 120;
    await signInWith(browser);
    const begun = await browser.visitor.get(`${start}?confirm=yes`);
    // Somebody with the stolen session leaves out what makes the provider ask again.
    const url = new URL(begun.headers.get('Location') ?? '');
    url.searchParams.delete('prompt');
    url.searchParams.set('max_age', '100000');
    const back = await passProvider(browser, { ...begun, headers: new Headers({ Location: url.href }) });
    expect((await browser.visitor.get(back)).status).toBe(502);
  });
});
