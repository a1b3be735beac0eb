import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { emailOTP, phoneNumber, username } from 'better-auth/plugins';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forwardedFor, whorlBetterAuth } from 'whorl/better-auth';
import { Whorl } from 'whorl/server';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestService } from '../support/service.js';
import { closeServer } from '../support/shops.js';
import { type Cookies, post } from '../support/sign-in-shops.js';

const laptop = fingerprintOf({ seed: 'laptop' });
const secrets = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const ip = '198.51.100.7';
const email = 'ann@example.com';
const phone = '+4917012345678';
const password = 'the right password';
const wrong = 'a wrong password';
const newPassword = 'another right password';

let service: TestService;
let whorl: Whorl;
let server: Server;
let url: string;
let tables: Record<string, Record<string, unknown>[]>;
/** Cookies of the browser that signed up. */
let cookies: Cookies;
let id: string;

beforeAll(async () => {
  service = await startService({ database: 'embedded' });
});
afterAll(() => service?.close());

beforeEach(async () => {
  const { keys } = await service.newProject();
  whorl = new Whorl({ apiSecret: keys.live.secret, baseUrl: service.url });
  let handler: (request: Request) => Promise<Response> = async () => new Response();
  server = serve({ fetch: (request) => handler(request), hostname: '127.0.0.1', port: 0 }) as Server;
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  url = `${origin}/api/auth`;
  tables = { user: [], session: [], account: [], verification: [] };
  const send = async () => undefined;
  ({ handler } = betterAuth({
    baseURL: origin,
    secret: 'a secret of better-auth for tests',
    database: memoryAdapter(tables),
    emailAndPassword: { enabled: true, sendResetPassword: send },
    user: { deleteUser: { enabled: true } },
    plugins: [
      username(),
      phoneNumber({ sendOTP: send }),
      emailOTP({ sendVerificationOTP: send }),
      whorlBetterAuth({ whorl, whenUnavailable: 'deny', webhook: { secrets }, clientAddress: forwardedFor(1) }),
    ],
  }));
  cookies = new Map();
  const account = { name: 'Ann', email, password, username: 'ann', fingerprint: laptop };
  id = (await (await post(`${url}/sign-up/email`, account, {}, cookies)).json()).user.id;
  Object.assign(tables.user?.[0] ?? {}, { phoneNumber: phone, phoneNumberVerified: true });
});
afterEach(() => closeServer(server));

const failures = async (user = id) => (await whorl.legacy.accessHistory({ outcome: 'failed', user })).data;

/** Every route of better-auth and these plugins that tells whether a password, code or token is right. */
const routes: readonly { path: string; fields: object; isSignedIn?: boolean; action?: string; user?: string }[] = [
  { path: '/sign-in/email', fields: { email, password: wrong } },
  { path: '/sign-in/username', fields: { username: 'Ann', password: wrong } },
  { path: '/sign-in/phone-number', fields: { phoneNumber: phone, password: wrong } },
  { path: '/sign-in/email-otp', fields: { email, otp: '000000' } },
  { path: '/change-password', fields: { currentPassword: wrong, newPassword }, isSignedIn: true },
  { path: '/verify-password', fields: { password: wrong }, isSignedIn: true },
  { path: '/delete-user', fields: { password: wrong }, isSignedIn: true },
  { path: '/reset-password', fields: { token: 'a guess', newPassword }, action: 'password_reset', user: 'unknown' },
  {
    path: '/email-otp/reset-password',
    fields: { email, otp: '000000', password: newPassword },
    action: 'password_reset',
  },
];

describe('the password routes of better-auth', () => {
  test.each(routes)('$path: a failure is counted, with address and user', async (route) => {
    const { path, fields, isSignedIn, action = 'login', user = id } = route;
    for (let attempt = 1; attempt <= 2; attempt++) {
      const answer = await post(url + path, fields, {}, isSignedIn ? cookies : new Map());
      expect(answer.status, await answer.text()).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(await failures(user)).toHaveLength(attempt);
    }
    expect(await failures(user)).toMatchObject(Array(2).fill({ action, ip }));
  });

  test('a failure for a name that nobody has is counted under this name', async () => {
    await post(`${url}/sign-in/username`, { username: 'nobody', password: wrong });
    expect(await failures('nobody')).toMatchObject([{ ip }]);
  });

  test('a right password by user name or phone number needs a code on a new device', async () => {
    const signIns = [
      ['/sign-in/username', { username: 'ann', password }],
      ['/sign-in/phone-number', { phoneNumber: phone, password }],
    ] as const;
    for (const [path, fields] of signIns) {
      const answer = await post(url + path, fields);
      expect([path, answer.status, (await answer.json()).code]).toEqual([path, 403, 'challenge_required']);
    }
    expect(await failures()).toEqual([]);
  });

  test('a route that does not exist says which do', async () => {
    const answer = await post(`${url}/whorl/nothing`, {});
    expect([answer.status, await answer.json()]).toEqual([
      404,
      {
        code: 'not_found',
        message: expect.stringContaining('nonce, open, send, begin, verify, devices, rename, detach and disown'),
      },
    ]);
  });

  test('after a new password that ends other sessions, the session keeps its device, which still ends it', async () => {
    const [device] = (await whorl.users.devices(id)).data;
    const change = { currentPassword: password, newPassword, revokeOtherSessions: true };
    expect((await post(`${url}/change-password`, change, {}, cookies)).status).toBe(200);
    const user = async () => {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      return (await (await fetch(`${url}/get-session`, { headers: { cookie } })).json())?.user.id;
    };
    expect(await user()).toBe(id);
    expect(tables.session?.map(({ whorlDeviceId }) => whorlDeviceId)).toEqual([device?._id]);

    const event = JSON.stringify({ type: 'device.detached', timestamp: new Date(), data: { device, cause: 'detach' } });
    const at = new Date();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secrets).sign('msg_1', at, event),
      'content-type': 'application/json',
    };
    expect((await fetch(`${url}/whorl/webhook`, { method: 'POST', body: event, headers })).status).toBe(204);
    expect(await user()).toBeUndefined();
  });
});
