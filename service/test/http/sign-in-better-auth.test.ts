import type { Server } from 'node:http';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { genericOAuth } from 'better-auth/plugins';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Attempt, type Decision, forwardedFor, whorlBetterAuth } from 'whorl/better-auth';
import { Whorl } from 'whorl/server';
import { laptop, phone } from '../support/customer.js';
import { fingerprintOf } from '../support/fingerprints.js';
import { type Realm, startRealm } from '../support/realm.js';
import { startService, type TestService } from '../support/service.js';
import { closeServer, secrets } from '../support/shops.js';
import { Browser, confirm, email, libraries, password, serveRequests } from '../support/sign-in-libraries.js';

let service: TestService;
let realm: Realm;
let whorl: Whorl;
beforeAll(async () => {
  [service, realm] = await Promise.all([startService({ database: 'embedded' }), startRealm(email)]);
});
afterAll(() => Promise.all([service.close(), realm.close()]));

describe('better-auth', () => {
  let server: Server;
  let url: string;
  beforeEach(async () => {
    const project = await service.newProject();
    whorl = new Whorl({ apiSecret: project.keys.live.secret, baseUrl: service.url });
  });
  afterEach(() => closeServer(server));

  async function start(options: object = {}, emailAndPassword: object = {}): Promise<void> {
    [server, url] = await serveRequests((request) => auth.handler(request));
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
    await confirm(service, browser, `${url}/api/auth/whorl`);
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
      await confirm(service, spoofed, `${url}/api/auth/whorl`);
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
