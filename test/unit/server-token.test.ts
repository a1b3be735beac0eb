import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifyToken } from '../../src/server/index.js';
import { clientOf, json, page, problem, type Reply, rejection, serve, type TestServer } from './server-harness.js';

const audience = 'project-1';
const claims = { user: '42', action: 'login', fingerprint_id: 'fingerprint-1', verdict: 'challenge' };

interface Key {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

async function makeKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

interface Signed {
  readonly by?: Key;
  readonly iss?: string;
  readonly aud?: string;
  readonly lifetimeSeconds?: number;
  readonly claims?: object;
}

let key: Key;
let otherKey: Key;

beforeAll(async () => {
  [key, otherKey] = await Promise.all([makeKey('key-1'), makeKey('key-2')]);
});

/** Creates a token like the service. */
function sign(server: TestServer, { by = key, iss, aud, lifetimeSeconds = 300, claims: given }: Signed = {}) {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...claims, jti: 'evaluation-1', iat: now, exp: now + lifetimeSeconds, ...given })
    .setProtectedHeader({ alg: 'ES256', kid: by.kid, typ: 'JWT' })
    .setIssuer(iss ?? server.baseUrl)
    .setAudience(aud ?? audience)
    .sign(by.privateKey);
}

const keySet = (...keys: Key[]): Reply => json({ keys: keys.map(({ publicJwk }) => publicJwk) });
const check = (server: TestServer, token: string, more: { action?: string; user?: string; issuer?: string } = {}) =>
  verifyToken(token, { baseUrl: server.baseUrl, audience, ...more });

describe('a token of the service', () => {
  test('returns its claims after verification with the published keys', async () => {
    const server = await serve(keySet(otherKey, key));
    const payload = await check(server, await sign(server), { action: 'login', user: '42' });
    expect(payload).toEqual({
      ...claims,
      iss: server.baseUrl,
      aud: audience,
      jti: 'evaluation-1',
      iat: expect.any(Number),
      exp: payload.iat + 300,
    });
    const [{ method, url, headers } = expect.fail()] = server.received;
    expect(`${method} ${url}`).toBe('GET /.well-known/jwks.json');
    expect(headers.authorization).toBeUndefined();
  });

  test('can be verified by a client, which does not send its secret', async () => {
    const server = await serve(problem(503, 'unavailable'), keySet(key));
    const payload = await clientOf(server).verifyToken(await sign(server), { audience });
    expect(payload.verdict).toBe('challenge');
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  test('can name the service by another URL', async () => {
    const server = await serve(keySet(key));
    const token = await sign(server, { iss: 'https://whorl.example.com' });
    expect(await rejection(check(server, token))).toMatchObject({ code: 'claim_mismatch' });
    const payload = await check(server, token, { issuer: 'https://whorl.example.com' });
    expect(payload.iss).toBe('https://whorl.example.com');
  });
});

describe('an invalid token', () => {
  const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each<[string, string, Signed]>([
    ['of another service', 'claim_mismatch', { iss: 'https://other.example.com' }],
    ['of another project', 'claim_mismatch', { aud: 'project-2' }],
    ['whose time is over', 'expired', { lifetimeSeconds: -1 }],
    ['without an end', 'claim_mismatch', { claims: { exp: undefined } }],
    ['without an evaluation', 'claim_mismatch', { claims: { jti: undefined } }],
    ['of an attempt that failed', 'claim_mismatch', { claims: { outcome: 'failed' } }],
    ['without a user', 'malformed', { claims: { user: undefined } }],
    ['with an unknown verdict', 'malformed', { claims: { verdict: 'perhaps' } }],
  ])('%s', async (_, code, signed) => {
    const server = await serve(keySet(key));
    const error = await rejection(check(server, await sign(server, signed)));
    expect(error).toMatchObject({ name: 'WhorlVerificationError', code });
  });

  test('for another action, or another user', async () => {
    const server = await serve(keySet(key));
    const token = await sign(server);
    expect(await rejection(check(server, token, { action: 'payment' }))).toMatchObject({ code: 'claim_mismatch' });
    expect(await rejection(check(server, token, { user: '43' }))).toMatchObject({ code: 'claim_mismatch' });
  });

  test('of another issuer: the error names both URLs and the option', async () => {
    const server = await serve(keySet(key));
    const token = await sign(server, { iss: 'https://fraud.example.com' });
    const byBaseUrl = String(await rejection(check(server, token)));
    expect(byBaseUrl).toContain('issued by "https://fraud.example.com"');
    expect(byBaseUrl).toContain(`baseUrl is "${server.baseUrl}"`);
    expect(byBaseUrl).toContain('issuer');
    const byIssuer = String(await rejection(check(server, token, { issuer: 'https://fraud.example.org' })));
    expect(byIssuer).toContain('issued by "https://fraud.example.com"');
    expect(byIssuer).toContain('issuer is "https://fraud.example.org"');
  });

  test('of another project or action: the error names both values and the option', async () => {
    const server = await serve(keySet(key));
    const forProject = String(await rejection(check(server, await sign(server, { aud: 'project-2' }))));
    expect(forProject).toMatch(/project "project-2".*audience is "project-1"/);
    const forAction = String(await rejection(check(server, await sign(server), { action: 'payment' })));
    expect(forAction).toMatch(/action "login".*action is "payment"/);
  });

  test('of another user: the error names the option, and no user', async () => {
    const server = await serve(keySet(key));
    const error = String(await rejection(check(server, await sign(server), { user: 'ann@example.com' })));
    expect(error).toContain('user');
    expect(error).not.toMatch(/ann|42/);
  });

  test('signed by another key with the same ID', async () => {
    const server = await serve(keySet(key));
    const error = await rejection(check(server, await sign(server, { by: { ...otherKey, kid: 'key-1' } })));
    expect(error).toMatchObject({ code: 'signature_mismatch' });
  });

  test('with a changed claim', async () => {
    const server = await serve(keySet(key));
    const [head = '', payload = '', signature = ''] = (await sign(server)).split('.');
    const read = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const token = [head, base64url({ ...read, verdict: 'allow' }), signature].join('.');
    expect(await rejection(check(server, token))).toMatchObject({ code: 'signature_mismatch' });
  });

  test('signed with the public key as an HMAC secret', async () => {
    const server = await serve(keySet(key));
    const secret = new TextEncoder().encode(JSON.stringify(key.publicJwk));
    const token = await new SignJWT({ ...claims, jti: 'evaluation-1' })
      .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
      .setIssuer(server.baseUrl)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(secret);
    expect(await rejection(check(server, token))).toMatchObject({ code: 'malformed' });
  });

  test('unsigned', async () => {
    const server = await serve(keySet(key));
    const [, payload = ''] = (await sign(server)).split('.');
    const token = `${base64url({ alg: 'none' })}.${payload}.`;
    expect(await rejection(check(server, token))).toMatchObject({ code: 'malformed' });
  });

  test.each(['', 'a.b.c', 'text', undefined])('malformed: %j', async (token) => {
    const server = await serve(keySet(key));
    expect(await rejection(check(server, token as string))).toMatchObject({ code: 'malformed' });
    expect(server.received).toHaveLength(0);
  });

  test('without an expected project is rejected', async () => {
    const server = await serve(keySet(key));
    const options = { baseUrl: server.baseUrl, audience: '' };
    expect(await rejection(verifyToken(await sign(server), options))).toMatchObject({ name: 'WhorlArgumentError' });
  });
});

describe('the keys', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

  test('are fetched once for many tokens, also concurrently', async () => {
    const server = await serve(keySet(key));
    const tokens = await Promise.all(Array.from({ length: 5 }, () => sign(server)));
    await Promise.all(tokens.map((token) => check(server, token)));
    for (const token of tokens) await check(server, token);
    expect(server.received).toHaveLength(1);
  });

  test('are fetched again for an unknown key', async () => {
    const server = await serve(keySet(key), keySet(key, otherKey));
    await check(server, await sign(server));
    advance(31);
    const payload = await check(server, await sign(server, { by: otherKey }));
    expect(payload.jti).toBe('evaluation-1');
    expect(server.received).toHaveLength(2);
  });

  test('are not fetched for each token with an invented key', async () => {
    const server = await serve(keySet(key));
    await check(server, await sign(server));
    advance(31);
    for (let count = 0; count < 10; count += 1) {
      const token = await sign(server, { by: { ...otherKey, kid: `made-up-${count}` } });
      expect(await rejection(check(server, token))).toMatchObject({ code: 'signature_mismatch' });
    }
    expect(server.received).toHaveLength(2);
  });

  test('that the service has withdrawn are rejected after 10 minutes', async () => {
    const server = await serve(keySet(key), keySet(otherKey));
    await check(server, await sign(server));
    advance(601);
    expect(await rejection(check(server, await sign(server)))).toMatchObject({ code: 'signature_mismatch' });
  });

  test.each<[string, Reply, object]>([
    ['an error', problem(500, 'internal'), { name: 'WhorlApiError', status: 500 }],
    ['a page', page(200), { name: 'WhorlConnectionError', code: 'invalid_response' }],
    ['no keys', json({ keys: 'none' }), { name: 'WhorlConnectionError', code: 'invalid_response' }],
    ['keys that are none', json({ keys: [1] }), { name: 'WhorlConnectionError', code: 'invalid_response' }],
  ])('that cannot be fetched do not invalidate the token: %s', async (_, reply, expected) => {
    const server = await serve(reply, keySet(key));
    const token = await sign(server);
    expect(await rejection(check(server, token))).toMatchObject(expected);
    // The next token triggers another attempt.
    expect((await check(server, token)).user).toBe('42');
  });
});
