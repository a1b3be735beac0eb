import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { twoFactor } from 'better-auth/plugins';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forwardedFor, whorlBetterAuth } from 'whorl/better-auth';
import { Whorl } from 'whorl/server';
import { fingerprintOf } from '../support/fingerprints.js';
import { startService, type TestService } from '../support/service.js';
import { closeServer, urlOf } from '../support/shops.js';
import { type Cookies, post } from '../support/sign-in-shops.js';

const laptop = fingerprintOf({ seed: 'laptop' });
const phone = fingerprintOf({ seed: 'phone', descriptor: 'maw18' });
const email = 'ann@example.com';
const password = 'the right password';

let service: TestService;
let whorl: Whorl;
let server: Server;
let url: string;
let id: string;
/** The key of the authenticator app, in base32. */
let secret: string;
let backupCodes: string[];

beforeAll(async () => {
  service = await startService({ database: 'embedded' });
});
afterAll(() => service?.close());

async function start(settings: Record<string, unknown> = {}): Promise<void> {
  const { keys } = await service.newProject(settings);
  whorl = new Whorl({ apiSecret: keys.live.secret, baseUrl: service.url });
  let handler: (request: Request) => Promise<Response> = async () => new Response();
  server = serve({ fetch: (request) => handler(request), hostname: '127.0.0.1', port: 0 }) as Server;
  await once(server, 'listening');
  url = `${urlOf(server)}/api/auth`;
  ({ handler } = betterAuth({
    baseURL: urlOf(server),
    secret: 'a secret of better-auth for tests',
    database: memoryAdapter({ user: [], session: [], account: [], verification: [], twoFactor: [] }),
    emailAndPassword: { enabled: true },
    plugins: [twoFactor(), whorlBetterAuth({ whorl, whenUnavailable: 'deny', clientAddress: forwardedFor(1) })],
  }));
  const cookies: Cookies = new Map();
  const signedUp = await call('/sign-up/email', { name: 'Ann', email, password, fingerprint: laptop }, cookies);
  id = signedUp.body.user.id;
  const enabled = await call('/two-factor/enable', { password }, cookies);
  ({ backupCodes } = enabled.body);
  secret = new URL(enabled.body.totpURI).searchParams.get('secret') ?? '';
  expect((await call('/two-factor/verify-totp', { code: totp() }, cookies)).status).toBe(200);
}
beforeEach(() => start());
afterEach(() => closeServer(server));

async function call(path: string, fields: object, cookies: Cookies) {
  const response = await post(url + path, fields, {}, cookies);
  for (const [name, value] of cookies) if (value === '') cookies.delete(name);
  return { status: response.status, body: JSON.parse((await response.text()) || '{}') };
}

/** Returns the code of the authenticator app (RFC 6238). */
function totp(): string {
  const bits = [...secret.replaceAll('=', '')].map((each) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each));
  const text = bits.map((value) => value.toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((text.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

const signIn = (cookies: Cookies) => call('/sign-in/email', { email, password, fingerprint: phone }, cookies);
const accesses = async () => (await whorl.legacy.accessHistory({ user: id })).data;

describe("better-auth's second factor", () => {
  test('takes the place of the code on a new device, and the challenge says so', async () => {
    const cookies: Cookies = new Map();
    const sent = service.outbox.length;
    const before = (await accesses()).length;
    expect(await signIn(cookies)).toMatchObject({ status: 200, body: { twoFactorRedirect: true } });
    expect(await call('/get-session', {}, cookies)).not.toMatchObject({ body: { user: { email } } });
    // The password alone is not a sign-in, so that there is nothing to evaluate yet.
    expect(await accesses()).toHaveLength(before);
    const verified = await call('/two-factor/verify-totp', { code: totp(), fingerprint: phone }, cookies);
    expect(verified).toMatchObject({ status: 200, body: { user: { email } } });
    const [challenge] = (await whorl.challenges.list()).data;
    expect(challenge).toMatchObject({ status: 'completed', reasons: expect.arrayContaining(['new_device']) });
    expect(await whorl.challenges.retrieve(challenge?._id ?? '')).toMatchObject({ verified_by: 'totp' });
    expect(service.outbox).toHaveLength(sent);
    const devices = (await whorl.users.devices(id)).data;
    expect(devices.filter(({ trusted }) => trusted)).toHaveLength(2);
  });

  test('is a backup code too', async () => {
    const cookies: Cookies = new Map();
    await signIn(cookies);
    const [code] = backupCodes;
    expect(await call('/two-factor/verify-backup-code', { code, fingerprint: phone }, cookies)).toMatchObject({
      status: 200,
    });
    const [challenge] = (await whorl.challenges.list()).data;
    expect(await whorl.challenges.retrieve(challenge?._id ?? '')).toMatchObject({ verified_by: 'backup_code' });
  });

  test('lets nobody in who has only the password', async () => {
    const cookies: Cookies = new Map();
    await signIn(cookies);
    const wrong = totp() === '000000' ? '111111' : '000000';
    const answer = await call('/two-factor/verify-totp', { code: wrong, fingerprint: phone }, cookies);
    expect(answer.status).toBe(401);
    expect((await whorl.challenges.list()).data).toEqual([]);
    expect((await whorl.users.devices(id)).data).toHaveLength(1);
  });

  test('refuses a user who is suspended, also with the right code', async () => {
    await whorl.users.update(id, { status: 'suspended' });
    const cookies: Cookies = new Map();
    await signIn(cookies);
    expect(await call('/two-factor/verify-totp', { code: totp(), fingerprint: phone }, cookies)).toMatchObject({
      status: 403,
      body: { code: 'denied' },
    });
  });

  test('spares nobody our check whom it spares its own', async () => {
    const cookies: Cookies = new Map();
    await signIn(cookies);
    await call('/two-factor/verify-totp', { code: totp(), fingerprint: phone, trustDevice: true }, cookies);
    expect([...cookies.keys()].join()).toContain('trust_device');
    for (const name of cookies.keys()) if (name.includes('session')) cookies.delete(name);
    const tablet = fingerprintOf({ seed: 'tablet', descriptor: 'taw18' });
    const answer = await call('/sign-in/email', { email, password, fingerprint: tablet }, cookies);
    expect(answer).toMatchObject({ status: 403, body: { code: 'challenge_required' } });
    // A cookie that the plugin does not accept leads to both.
    const forged: Cookies = new Map([...cookies].map(([name]) => [name, 'forged']));
    const checked = await call('/sign-in/email', { email, password, fingerprint: tablet }, forged);
    expect(checked).toMatchObject({ status: 403, body: { code: 'challenge_required' } });
  });

  test('with `prefer_own_factor`, no code is sent to a user who has it', async () => {
    await closeServer(server);
    await start({ prefer_own_factor: true });
    const cookies: Cookies = new Map([['better-auth.trust_device', 'forged']]);
    expect((await signIn(cookies)).body.code).toBe('challenge_required');
    expect((await call('/whorl/open', {}, cookies)).body).toMatchObject({ channels: [] });
    expect(await call('/whorl/send', {}, cookies)).toMatchObject({
      status: 422,
      body: { code: 'own_factor_required' },
    });
  });
});
