import { calculateJwkThumbprint } from 'jose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { VerifyAgentOptions } from '../../src/server/index.js';
import {
  agentOrigin,
  covered,
  type Key,
  key,
  now,
  origin,
  otherKey,
  type Signing,
  sign,
  unverified,
  verified,
} from './agent-signatures.js';
import { clientOf, json, type Reply, serve, silence, type TestServer } from './server-harness.js';

const path = '/.well-known/http-message-signatures-directory';
const mediaType = 'application/http-message-signatures-directory+json';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an agent with a directory', () => {
  const agents = [{ name: 'Agent', directory: agentOrigin }];
  const directory = (keys: unknown, headers: Record<string, string> = {}, status = 200): Reply =>
    json({ keys }, status, { 'content-type': mediaType, ...headers });
  const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

  /** Returns a function that verifies a request signed now. The directory's host is the test server. */
  function verifierOf(server: TestServer) {
    const urls: string[] = [];
    const client = clientOf(server, {
      fetch: (url, init) => {
        urls.push(url);
        return fetch(url.replace(agentOrigin, server.baseUrl), { ...init, signal: init.signal as AbortSignal });
      },
    });
    const check = async (signing: Signing = {}, options: Partial<VerifyAgentOptions> = {}) => {
      const headers = await sign({ created: Math.floor(Date.now() / 1000), ...signing });
      return client.verifyAgent({ url: '/path', headers }, { origin, agents, ...options });
    };
    return { check, urls };
  }

  test('is verified with the keys there, which are requested without the secret', async () => {
    const server = await serve(directory([{ kty: 'EC' }, null, { ...key.jwk, kid: 'any' }]));
    const { check, urls } = verifierOf(server);
    expect(await Promise.all([check(), check()])).toEqual([verified, verified]);
    expect(urls).toEqual([agentOrigin + path]);
    expect(server.received[0]?.headers).toMatchObject({ accept: mediaType });
    expect(server.received[0]?.headers.authorization).toBeUndefined();
  });

  test('cannot list a test key of RFC 9421, which only counts if you give it', async () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' };
    const d = 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU';
    const privateKey = await crypto.subtle.importKey('jwk', { ...jwk, d }, 'Ed25519', false, ['sign']);
    const published: Key = { privateKey, jwk, keyid: await calculateJwkThumbprint(jwk) };
    const { check, urls } = verifierOf(await serve(directory([jwk])));
    expect(await check({ by: published })).toEqual(unverified('unknown_key'));
    expect(urls).toEqual([]);
    const given = [{ name: 'Agent', directory: agentOrigin, keys: [jwk] }];
    expect(await check({ by: published }, { agents: given })).toEqual(verified);
  });

  test('is never requested for an agent that is not in the options', async () => {
    const { check, urls } = verifierOf(await serve(directory([key.jwk])));
    const other = 'https://evil.example';
    const lines = [`${covered[0]}`, `"signature-agent";key="sig": "${other}"`];
    const result = await check({ lines, signatureAgent: `sig="${other}"` });
    expect(result).toEqual(unverified('unknown_agent', 'evil.example'));
    expect(urls).toEqual([]);
  });

  test.each([
    ['max-age=600', 600],
    ['public, max-age=1', 300],
    ['no-store', 300],
    ['max-age=99999999', 86_400],
    ['', 3600],
  ])('caches its keys with "%s" for %s s', async (cacheControl, seconds) => {
    const server = await serve(directory([key.jwk], { 'cache-control': cacheControl }), directory([otherKey.jwk]));
    const { check, urls } = verifierOf(server);
    expect(await check()).toEqual(verified);
    advance(seconds - 1);
    expect(await check()).toEqual(verified);
    expect(urls).toHaveLength(1);
    advance(1);
    expect(await check()).toEqual(unverified('unknown_key'));
    expect(await check({ by: otherKey })).toEqual(verified);
    expect(urls).toHaveLength(2);
  });

  test('is requested again for an unknown key, once a minute', async () => {
    const { check, urls } = verifierOf(await serve(directory([key.jwk]), directory([key.jwk, otherKey.jwk])));
    expect(await check({ by: otherKey })).toEqual(unverified('unknown_key'));
    expect(await check({ by: otherKey })).toEqual(unverified('unknown_key'));
    expect(urls).toHaveLength(1);
    advance(60);
    expect(await check({ by: otherKey })).toEqual(verified);
    expect(urls).toHaveLength(2);
  });

  test('keeps its keys for a day while the directory fails', async () => {
    const { check } = verifierOf(await serve(directory([key.jwk]), directory([], {}, 500)));
    expect(await check()).toEqual(verified);
    advance(86_000);
    expect(await check()).toEqual(verified);
    advance(400);
    expect(await check()).toEqual(unverified('keys_unavailable'));
  });

  test.each<readonly [name: string, reply: Reply]>([
    ['is an error', directory([], {}, 404)],
    ['redirects', directory([], { location: 'https://evil.example' }, 302)],
    ['has another type', directory([], { 'content-type': 'text/html' })],
    ['has no keys', directory(undefined)],
    ['has too many keys', directory(Array(101).fill({}))],
    ['is too large', directory(['x'.repeat(70_000)])],
    ['does not respond', silence],
  ])('is not verified if the directory %s', async (_name, reply) => {
    const { check, urls } = verifierOf(await serve(reply));
    expect(await check({}, { timeoutMs: 200 })).toEqual(unverified('keys_unavailable'));
    expect(await check()).toEqual(unverified('keys_unavailable'));
    expect(urls).toHaveLength(1);
  });
});
