import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Whorl } from 'whorl/server';
import { freePort } from '../../../test/browser/harness/free-port.js';
import { laptop, phone } from '../support/customer.js';
import { type Realm, startRealm } from '../support/realm.js';
import { startService, type TestProject, type TestService } from '../support/service.js';
import { type DocumentedApplications, writeDocumentedApplications } from '../support/sign-in-applications.js';
import { Browser, confirm, email, libraries, password, postForm } from '../support/sign-in-libraries.js';

let service: TestService;
let realm: Realm;
let project: TestProject;
let whorl: Whorl;
beforeAll(async () => {
  [service, realm] = await Promise.all([startService({ database: 'embedded' }), startRealm(email)]);
});
afterAll(() => Promise.all([service.close(), realm.close()]));

async function useNewProject(): Promise<void> {
  project = await service.newProject();
  whorl = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url });
}

describe('the applications of docs/sign-in.md', () => {
  let applications: DocumentedApplications;
  beforeAll(() => {
    applications = writeDocumentedApplications();
  });
  afterAll(() => applications?.remove());

  const start = (name: string, environment: Record<string, string> = {}) =>
    applications.start(name, {
      WHORL_URL: service.url,
      WHORL_API_SECRET: project.keys.live.secret,
      KEYCLOAK_ISSUER: realm.issuer,
      ...environment,
    });

  async function startForTest(...[name, environment]: Parameters<typeof start>): Promise<string> {
    const { url, child } = await start(name, environment);
    onTestFinished(() => {
      child.kill();
    });
    return url;
  }

  describe.each(Object.entries(libraries))('%s', (name, { routes, signIn, user, signOut }) => {
    let url: string;
    let child: ChildProcess;
    let id: string;
    beforeAll(async () => {
      await useNewProject();
      ({ url, child } = await start(name));
      id = await signUp();
    });
    afterAll(() => child?.kill());

    /** Creates the account, with the laptop as its first device. */
    async function signUp(): Promise<string> {
      if (name !== 'better-auth') {
        await whorl.evaluate({ action: 'signup', user: email, email, fingerprint: laptop, ip: '198.51.100.7' });
        return email;
      }
      const { body } = await new Browser(laptop).post(`${url}/api/auth/sign-up/email`, {
        name: 'Ann',
        email,
        password,
      });
      return body.user.id;
    }

    test('asks for a code before a session exists on a new device', async () => {
      const known = new Browser(laptop);
      await signIn(known, url, password);
      expect(await user(known, url)).toBe(email);

      const browser = new Browser(phone);
      const { code } = await signIn(browser, url, password);
      expect([code, await user(browser, url)]).toEqual(['challenge_required', undefined]);
      await refuseOthers(browser, url + routes);
      await confirm(service, browser, url + routes);
      await signIn(browser, url, password);
      expect(await user(browser, url)).toBe(email);

      await signOut(browser, url);
      expect(await user(browser, url)).toBeUndefined();
      const again = await signIn(browser, url, password);
      expect(again.code).toBeUndefined();
    });

    test('reports a wrong password, and asks for a code without a fingerprint', async () => {
      const browser = new Browser(laptop);
      await signIn(browser, url, 'wrong');
      expect(await user(browser, url)).toBeUndefined();
      const failed = await whorl.legacy.accessHistory({ outcome: 'failed', user: id });
      expect(failed).toMatchObject({ total: 1, data: [{ ip: '198.51.100.7' }] });
      expect((await signIn(new Browser(), url, password)).code).toBe('challenge_required');
    });

    test('starts no session for an unknown device while the service is unavailable', async () => {
      const url = await startForTest(name, { WHORL_URL: `http://127.0.0.1:${await freePort()}` });
      const browser = new Browser(phone);
      const account = { name: 'Ann', email, password };
      const { code } =
        name === 'better-auth'
          ? (await browser.post(`${url}/api/auth/sign-up/email`, account)).body
          : await signIn(browser, url, password);
      expect(code).toBe('unavailable');
      expect(await user(browser, url)).toBeUndefined();
    });
  });

  test('Keycloak with Auth.js: the check follows the way back', async () => {
    await useNewProject();
    const url = await startForTest('Auth.js');
    const browser = new Browser(phone);
    const signIn = async () => {
      const location = await postForm(browser, url, '/auth/signin/keycloak', {});
      return browser.navigate(location.href, ({ origin, pathname }) => origin === url && !/callback/.test(pathname));
    };
    const refused = await signIn();
    expect([refused.pathname, refused.searchParams.get('code')]).toEqual(['/code', 'challenge_required']);
    expect(await libraries['Auth.js'].user(browser, url)).toBeUndefined();
    await confirm(service, browser, `${url}/whorl`);
    await signIn();
    expect(await libraries['Auth.js'].user(browser, url)).toBe(email);
  });

  test('Passport detaches the device at the sign-out', async () => {
    await useNewProject();
    const url = await startForTest('Passport with detach');
    await whorl.evaluate({ action: 'signup', user: email, email, fingerprint: laptop, ip: '198.51.100.7' });
    const { signIn, signOut, user } = libraries.Passport;
    const browser = new Browser(laptop);
    await signIn(browser, url, password);
    expect(await user(browser, url)).toBe(email);
    await signOut(browser, url);
    expect((await signIn(browser, url, password)).code).toBe('challenge_required');
  });

  test('Passport leaves no session of a refused login, even if it starts sessions itself', async () => {
    await useNewProject();
    const url = await startForTest('Passport with sessions');
    await whorl.evaluate({ action: 'signup', user: email, email, fingerprint: laptop, ip: '198.51.100.7' });
    const { signIn, user } = libraries.Passport;
    const browser = new Browser(phone);
    const { code } = await signIn(browser, url, password);
    expect([code, await user(browser, url)]).toEqual(['challenge_required', undefined]);
    await confirm(service, browser, `${url}/whorl`);
    await signIn(browser, url, password);
    expect(await user(browser, url)).toBe(email);
  });

  test('Passport: a wrong password in the query is reported', async () => {
    await useNewProject();
    const url = await startForTest('Passport');
    const query = new URLSearchParams({ email, password: 'wrong' });
    const { status } = await new Browser(laptop).post(`${url}/login?${query}`, { email: '', password: '' });
    expect(status).toBe(401);
    expect(await whorl.legacy.accessHistory({ outcome: 'failed', user: email })).toMatchObject({ total: 1 });
  });

  test('Passport: a form without a script is redirected to the page for codes', async () => {
    await useNewProject();
    const url = await startForTest('Passport');
    const headers = { accept: 'text/html,*/*', 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({ email, password });
    const response = await new Browser(phone).request(`${url}/login`, { method: 'POST', headers, body });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/code?code=challenge_required');
  });

  test('Kratos: the answer interrupts a login on a new device', async () => {
    await useNewProject();
    const url = await startForTest('Kratos');
    // As examples/kratos/whorl.jsonnet defines it.
    const body = (fingerprint: string) => ({
      user: 'b0a2', // The ID of the identity.
      email,
      ip: '198.51.100.7',
      user_agent: 'shop test',
      browser: { fingerprint, user: 'somebody else', outcome: 'failed' },
    });
    const call = (fingerprint: string, key = 'a key of Kratos for tests') =>
      new Browser().post(`${url}/kratos/login`, body(fingerprint), { 'x-kratos-key': key });
    await whorl.evaluate({ action: 'signup', user: 'b0a2', email, fingerprint: laptop, ip: '198.51.100.7' });
    expect((await call(laptop)).status).toBe(204);
    expect((await call(laptop, 'another key')).status).toBe(401);
    expect(await call(phone)).toMatchObject({
      status: 403,
      body: {
        messages: [
          {
            instance_ptr: '#/',
            messages: [
              {
                type: 'error',
                context: { code: 'challenge_required', set_cookie: expect.stringMatching(/^__Host-whorl-challenge=/) },
              },
            ],
          },
        ],
      },
    });
    const { total } = await whorl.legacy.accessHistory({ user: 'b0a2' });
    expect(total).toBe(3);
  });
});

/** Expects that browsers which did not begin the challenge cannot open it, send its code or enter a code. */
async function refuseOthers(browser: Browser, routes: string): Promise<void> {
  const { body } = await browser.post(`${routes}/open`, {});
  const id: string = body.challenge;
  expect(id).toMatch(/^[\w-]+$/);
  const sent = service.outbox.length;
  const forged = new Browser(phone);
  for (const [name, value] of browser.cookies) {
    if (name.endsWith('whorl-challenge')) forged.cookies.set(name, value.replace(/\.[^.]*$/, `.${'0'.repeat(64)}`));
  }
  for (const other of [new Browser(phone), forged]) {
    for (const fields of [{}, { challenge_id: id }, { challenge: id }]) {
      for (const route of ['open', 'send', 'begin', 'verify']) {
        const answer = await other.post(`${routes}/${route}?challenge_id=${id}`, { ...fields, code: '000000' });
        expect(answer).toMatchObject({ status: 403, body: { code: 'challenge_of_another_browser' } });
      }
    }
  }
  expect(service.outbox).toHaveLength(sent);
}
