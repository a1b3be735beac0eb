import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Auth } from '@auth/core';
import Credentials from '@auth/core/providers/credentials';
import { serve } from '@hono/node-server';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { genericOAuth } from 'better-auth/plugins';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { whorlAuthJs } from 'whorl/auth-js';
import { type Attempt, type Decision, forwardedFor, whorlBetterAuth } from 'whorl/better-auth';
import { Whorl } from 'whorl/server';
import { freePort } from '../../../test/browser/harness/free-port.js';
import { until } from '../../../test/browser/harness/until.js';
import { sample } from '../../../test/package/samples.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { type Realm, startRealm } from '../support/realm.js';
import { startService, type TestProject, type TestService } from '../support/service.js';

const secrets = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const laptop = fingerprintOf({ seed: 'laptop' });
const phone = fingerprintOf({ seed: 'phone', descriptor: 'maw18' });
const email = 'ann@example.com';
const password = 'the right password';

/** What became of a sign-in. */
interface Answer {
  readonly code?: string | undefined;
}

/** Keeps cookies, and follows no redirects. */
class Browser {
  readonly cookies = new Map<string, string>();

  constructor(fingerprint?: string) {
    if (fingerprint) this.cookies.set('whorl', encodeURIComponent(JSON.stringify({ fingerprint, version: '0.1.0' })));
  }

  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: {
        'user-agent': 'shop test',
        'x-forwarded-for': '198.51.100.7',
        cookie: [...this.cookies].map((cookie) => cookie.join('=')).join('; '),
        ...(init.method === 'POST' && { origin: new URL(url).origin }),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  async post(url: string, fields: object, headers: Record<string, string> = {}) {
    const body = JSON.stringify(fields);
    const response = await this.request(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    const text = await response.text();
    return { status: response.status, body: /^[[{]|^null/.test(text) ? JSON.parse(text) : text };
  }

  async get(url: string) {
    return (await this.request(url)).json();
  }

  /** Follows redirects from a URL until one does not lead to a page of `origins`. Returns it. */
  async navigate(url: string, isOfPage: (url: URL) => boolean): Promise<URL> {
    for (let next = new URL(url); ; ) {
      if (isOfPage(next)) return next;
      const response = await this.request(next.href, { headers: { accept: 'text/html' } });
      next = new URL(response.headers.get('location') ?? `/status/${response.status}`, next);
    }
  }
}

/** How a library's application is used. */
interface Library {
  /** Where Whorl's routes are. */
  readonly routes: string;
  signIn(browser: Browser, url: string, password: string): Promise<Answer>;
  /** Returns who is signed in. */
  user(browser: Browser, url: string): Promise<string | undefined>;
  signOut(browser: Browser, url: string): Promise<unknown>;
}

const libraries: Record<'better-auth' | 'Auth.js' | 'Passport', Library> = {
  'better-auth': {
    routes: '/api/auth/whorl',
    signIn: async (browser, url, entered) =>
      (await browser.post(`${url}/api/auth/sign-in/email`, { email, password: entered })).body,
    user: async (browser, url) => (await browser.get(`${url}/api/auth/get-session`))?.user.email,
    signOut: (browser, url) => browser.post(`${url}/api/auth/sign-out`, {}),
  },
  'Auth.js': {
    routes: '/whorl',
    async signIn(browser, url, entered) {
      const location = await postForm(browser, url, '/auth/callback/credentials', { email, password: entered });
      return { code: location.searchParams.get('code') ?? undefined };
    },
    user: async (browser, url) => (await browser.get(`${url}/auth/session`))?.user.email,
    signOut: (browser, url) => postForm(browser, url, '/auth/signout', {}),
  },
  Passport: {
    routes: '/whorl',
    signIn: async (browser, url, entered) => (await browser.post(`${url}/login`, { email, password: entered })).body,
    user: async (browser, url) => (await browser.get(`${url}/me`)).user ?? undefined,
    signOut: (browser, url) => browser.post(`${url}/logout`, {}),
  },
};

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

/** Runs the applications of docs/sign-in.md as they are, with modules of the reader's own. */
describe('the applications of docs/sign-in.md', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const folder = join(root, 'node_modules/.cache/whorl-sign-in', randomUUID());
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    const passport = sample('docs/sign-in.md, Passport, 1').code;
    const files = {
      'package.json': '{"type":"module"}',
      'accounts.js': `export const findAccount = (email) => email && { id: email, email };
        export const findAccountById = findAccount;
        export const passwordMatches = (account, password) => password === '${password}';
        export const readCredentials = (body) => body;`,
      'database.js': `import { memoryAdapter } from 'better-auth/adapters/memory';
        export const database = memoryAdapter({ user: [], session: [], account: [], verification: [] });`,
      'auth.js': sample('docs/sign-in.md, better-auth, 1').code,
      'better-auth.js': `import { createServer } from 'node:http';
        import { toNodeHandler } from 'better-auth/node';
        import { auth } from './auth.js';
        createServer(toNodeHandler(auth)).listen(process.env.PORT);`,
      'Auth.js.js': sample('docs/sign-in.md, Auth.js, 1').code,
      'Passport.js': passport,
      'Passport with sessions.js': passport.replace('session: false, ', ''),
      'Passport with detach.js': passport.replace('whorl.logout()', 'whorl.logout({ detach: true })'),
      'Kratos.js': readFileSync(join(root, 'examples/kratos/server.js'), 'utf8'),
    };
    for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function start(
    name: string,
    environment: Record<string, string> = {},
  ): Promise<{ url: string; child: ChildProcess }> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = {
      WHORL_URL: service.url,
      WHORL_API_SECRET: project.keys.live.secret,
      WHORL_WEBHOOK_SECRET: secrets,
      BETTER_AUTH_SECRET: 'a secret of better-auth for tests',
      BETTER_AUTH_TELEMETRY: '0',
      BETTER_AUTH_URL: url,
      AUTH_SECRET: 'a secret of Auth.js for tests',
      SESSION_SECRET: 'a secret of express-session for tests',
      KEYCLOAK_ISSUER: realm.issuer,
      KEYCLOAK_SECRET: 'a secret of the realm for tests',
      KRATOS_KEY: 'a key of Kratos for tests',
      PORT: String(port),
    };
    const env = { ...process.env, NODE_ENV: 'development', ...settings, ...environment };
    const child = spawn(process.execPath, [join(folder, `${name}.js`)], { env, stdio: 'inherit' });
    await until('The start', () => fetch(`${url}/auth/csrf`));
    return { url, child };
  }

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
      await confirm(browser, url + routes);
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
    await confirm(browser, `${url}/whorl`);
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
    await confirm(browser, `${url}/whorl`);
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

describe('better-auth', () => {
  let server: Server;
  let url: string;
  beforeEach(useNewProject);
  afterEach(() => stop(server));

  async function start(options: object = {}, emailAndPassword: object = {}): Promise<void> {
    [server, url] = await listen((request) => auth.handler(request));
    const oauth = { providerId: 'realm', discoveryUrl: `${realm.issuer}/.well-known/openid-configuration` };
    const auth = betterAuth({
      baseURL: url,
      secret: 'a secret of better-auth for tests',
      database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
      emailAndPassword: { enabled: true, ...emailAndPassword },
      plugins: [
        genericOAuth({ config: [{ ...oauth, clientId: 'shop', clientSecret: 'secret', scopes: ['openid'] }] }),
        whorlBetterAuth({
          whorl,
          whenUnavailable: 'deny',
          page: '/code',
          webhook: { secrets },
          clientAddress: forwardedFor(1),
          ...options,
        }),
      ],
    });
  }

  const { signIn, signOut, user } = libraries['better-auth'];
  const signUp = (browser: Browser) => browser.post(`${url}/api/auth/sign-up/email`, { name: 'Ann', email, password });

  test('checks the sign-in with another provider, and trusts the device of the sign-up', async () => {
    await start();
    const signInWithRealm = async (browser: Browser) => {
      const { body } = await browser.post(`${url}/api/auth/sign-in/social`, {
        provider: 'realm',
        callbackURL: '/in',
      });
      return browser.navigate(body.url, ({ pathname }) => /^\/(?:in|code|status)/.test(pathname));
    };
    const first = new Browser(laptop);
    expect((await signInWithRealm(first)).pathname).toBe('/in');
    expect(await user(first, url)).toBe(email);
    const second = new Browser(phone);
    const refused = await signInWithRealm(second);
    expect([refused.pathname, refused.searchParams.get('code')]).toEqual(['/code', 'challenge_required']);
    expect(await user(second, url)).toBeUndefined();
  });

  test('creates no account for a refused sign-up, and creates it after the code', async () => {
    await start();
    const browser = new Browser(fingerprintOf({ seed: 'spoofed', integrity: ['proxied_function'] }));
    const { body } = await signUp(browser);
    expect(body).toMatchObject({ code: 'challenge_required' });
    expect(await signIn(browser, url, password)).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' });
    await confirm(browser, `${url}/api/auth/whorl`);
    expect((await signUp(browser)).status).toBe(200);
    expect(await user(browser, url)).toBe(email);
  });

  test('reports each decision', async () => {
    const decisions: unknown[] = [];
    await start({
      onDecision: ({ continues, evaluation }: Decision, { action, user }: Attempt) =>
        decisions.push([action, user, continues, evaluation?.verdict]),
    });
    const { body } = await signUp(new Browser(laptop));
    await signIn(new Browser(phone), url, password);
    expect(decisions).toEqual([
      ['signup', body.user.id, true, 'allow'],
      ['login', body.user.id, false, 'challenge'],
    ]);
  });

  test.each([{ autoSignIn: false }, { requireEmailVerification: true }])(
    'evaluates a sign-up that starts no session: %j',
    async (emailAndPassword) => {
      await start({}, emailAndPassword);
      const spoofed = new Browser(fingerprintOf({ seed: 'spoofed', integrity: ['proxied_function'] }));
      const { body } = await signUp(spoofed);
      expect(body).toMatchObject({ code: 'challenge_required' });
      expect(await signIn(spoofed, url, password)).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' });
      await confirm(spoofed, `${url}/api/auth/whorl`);
      const created = await signUp(spoofed);
      expect(created.status).toBe(200);
      expect((await whorl.users.devices(created.body.user.id)).data).toHaveLength(1);
    },
  );

  test('ends the sessions of a device that was detached', async () => {
    await start();
    const browser = new Browser(laptop);
    const { body } = await signUp(browser);
    expect(await user(browser, url)).toBe(email);
    const [device] = (await whorl.users.devices(body.user.id)).data;
    const event = JSON.stringify({ type: 'device.detached', timestamp: new Date(), data: { device, cause: 'detach' } });
    const at = new Date();
    const send = (signature: string) =>
      fetch(`${url}/api/auth/whorl/webhook`, {
        method: 'POST',
        body: event,
        headers: {
          'content-type': 'application/json',
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': signature,
        },
      });
    expect((await send('v1,forged')).status).toBe(400);
    expect(await user(browser, url)).toBe(email);
    expect((await send(new Webhook(secrets).sign('msg_1', at, event))).status).toBe(204);
    expect(await user(browser, url)).toBeUndefined();
  });

  test('checks no new password, detaches the device at the sign-out, and reads the fields in the body', async () => {
    await start({ detachOnSignOut: true });
    const browser = new Browser(laptop);
    await signUp(browser);
    browser.cookies.delete('whorl');
    const change = { currentPassword: password, newPassword: password, revokeOtherSessions: true };
    expect((await browser.post(`${url}/api/auth/change-password`, change)).status).toBe(200);
    expect(await user(browser, url)).toBe(email);
    const fields = { email, password, fingerprint: laptop };
    expect((await browser.post(`${url}/api/auth/sign-in/email`, fields)).status).toBe(200);
    await signOut(browser, url);
    expect((await signIn(new Browser(laptop), url, password)).code).toBe('challenge_required');
  });
});

test('Auth.js detaches the device at the sign-out, and starts no session if the account was not created', async () => {
  await useNewProject();
  const protection = whorlAuthJs({
    whorl,
    whenUnavailable: 'deny',
    page: '/code',
    clientAddress: () => '198.51.100.7',
    attempt: ({ user }) => ({ action: 'login', user: user.id ?? '' }),
    detachOnSignOut: true,
    beforeSession: ({ credentials }) => {
      if (credentials?.name) throw new Error('The account was not created.');
    },
  });
  const config = {
    basePath: '/auth',
    secret: 'a secret of Auth.js for tests',
    trustHost: true,
    providers: [Credentials({ credentials: { email: {} }, authorize: () => ({ id: 'ann', email }) })],
  };
  const [server, url] = await listen((request) => Auth(request, protection.protect(request, config, new Headers())));
  await whorl.evaluate({ action: 'signup', user: 'ann', fingerprint: laptop, ip: '198.51.100.7' });
  const { signIn, signOut, user } = libraries['Auth.js'];
  const browser = new Browser(laptop);
  const failed = await postForm(browser, url, '/auth/callback/credentials', { email, password, name: 'Ann' });
  expect([failed.searchParams.get('error'), await user(browser, url)]).toEqual(['AccessDenied', undefined]);
  await signIn(browser, url, password);
  expect(await user(browser, url)).toBe(email);
  await signOut(browser, url);
  expect((await signIn(browser, url, password)).code).toBe('challenge_required');
  await stop(server);
});

test.each([[{}], [{ page: undefined }], [{ page: '' }]])('Auth.js does not start without the page: %j', (options) => {
  // As JavaScript may call it. Auth.js lets everybody in who is not redirected.
  const create = () => Reflect.apply(whorlAuthJs, undefined, [{ whorl, whenUnavailable: 'deny', ...options }]);
  expect(create).toThrow('whorlAuthJs needs the option page');
});

/** Completes a challenge with the code that was sent. */
async function confirm(browser: Browser, routes: string): Promise<void> {
  expect(await browser.post(`${routes}/send`, {})).toMatchObject({ status: 200 });
  const { code } = service.outbox.at(-1) ?? {};
  expect((await browser.post(`${routes}/verify`, { code })).body).toEqual({ success: true });
}

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

/** Sends a form as Auth.js' pages do. Returns the URL to which Auth.js redirects. */
async function postForm(browser: Browser, url: string, path: string, fields: Record<string, string>): Promise<URL> {
  const { csrfToken } = await browser.get(`${url}/auth/csrf`);
  const body = new URLSearchParams({ ...fields, csrfToken, callbackUrl: `${url}/in` });
  const response = await browser.request(url + path, {
    method: 'POST',
    body,
    headers: { 'x-auth-return-redirect': '1' },
  });
  return new URL((await response.json()).url, url);
}

async function listen(answer: (request: Request) => Response | Promise<Response>): Promise<[Server, string]> {
  const server = serve({ fetch: answer, hostname: '127.0.0.1', port: 0 }) as Server;
  await once(server, 'listening');
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
