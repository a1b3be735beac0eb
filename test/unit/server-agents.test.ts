import { calculateJwkThumbprint, exportJWK } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type KnownAgent, type VerifyAgentOptions, verifyAgent, WhorlArgumentError } from '../../src/server/index.js';
import vectors from './agent-vectors.json' with { type: 'json' };
import { clientOf, json, type Reply, serve, silence, type TestServer } from './server-harness.js';

const origin = 'https://shop.example';
const agentOrigin = 'https://agent.example';
const path = '/.well-known/http-message-signatures-directory';
const mediaType = 'application/http-message-signatures-directory+json';
const now = new Date('2026-11-20T12:00:00Z');
const nowSeconds = now.getTime() / 1000;

interface Key {
  readonly privateKey: CryptoKey;
  readonly jwk: { kty: string; crv?: string; x?: string };
  readonly keyid: string;
}

let key: Key;
let otherKey: Key;

async function makeKey(): Promise<Key> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  if (!('privateKey' in pair)) throw new Error('Not a key pair.');
  const { kty = '', crv = '', x = '' } = await exportJWK(pair.publicKey);
  return { privateKey: pair.privateKey, jwk: { kty, crv, x }, keyid: await calculateJwkThumbprint({ kty, crv, x }) };
}

beforeAll(async () => {
  [key, otherKey] = await Promise.all([makeKey(), makeKey()]);
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

/** What to sign. Each line of the base is given, so that the test does not share the client's way of making it. */
interface Signing {
  readonly by?: Key;
  readonly label?: string;
  readonly lines?: readonly string[];
  readonly created?: number;
  readonly expires?: number;
  readonly params?: string;
  readonly signatureAgent?: string;
}

const covered = [`"@authority": shop.example`, `"signature-agent";key="sig": "${agentOrigin}"`];

/** Returns the headers of a signed request. */
async function sign(signing: Signing = {}): Promise<Record<string, string>> {
  const { by = key, label = 'sig', lines = covered, signatureAgent = `sig="${agentOrigin}"` } = signing;
  const { created = nowSeconds, expires = created + 60 } = signing;
  const { params = `;created=${created};expires=${expires};keyid="${by.keyid}";tag="web-bot-auth"` } = signing;
  const input = `(${lines.map((line) => line.slice(0, line.indexOf(': '))).join(' ')})${params}`;
  const base = new TextEncoder().encode([...lines, `"@signature-params": ${input}`].join('\n'));
  const bytes = Buffer.from(await crypto.subtle.sign('Ed25519', by.privateKey, base));
  return {
    'signature-input': `${label}=${input}`,
    signature: `${label}=:${bytes.toString('base64')}:`,
    ...(signatureAgent && { 'signature-agent': signatureAgent }),
  };
}

const pinned = (): KnownAgent => ({ name: 'Agent', directory: agentOrigin, keys: [key.jwk] });

/** Verifies a request to /path?q=1. */
function verify(headers: Record<string, string>, options: Partial<VerifyAgentOptions> = {}) {
  return verifyAgent(new Request(`${origin}/path?q=1`, { headers }), { origin, agents: [pinned()], ...options });
}

const verified = { name: 'Agent', verified: true };
const unverified = (problem: string, name = 'Agent') => ({ name, verified: false, problem });

describe('test vectors of the drafts', () => {
  const cases = vectors.map(
    (vector) => [`${vector.version} ${vector.key.kty} ${vector.signature_input.slice(0, 50)}`, vector] as const,
  );

  test.each(cases)('%s', async (_name, vector) => {
    vi.setSystemTime(vector.created_ms + 1000);
    const headers = new Headers({ signature: vector.signature, 'signature-input': vector.signature_input });
    if (vector.signature_agent) headers.set('signature-agent', vector.signature_agent);
    const request = { method: 'GET', url: vector.url, headers };
    const agents = [{ name: 'Test', directory: 'https://signature-agent.test', keys: [vector.key] }];
    const site = { origin: 'https://example.com', agents };
    expect(await verifyAgent(request, site)).toEqual({ name: 'Test', verified: true });
    expect(await verifyAgent(request, { ...site, origin: 'https://example.org' })).toMatchObject({
      verified: false,
      problem: 'signature_mismatch',
    });
    vi.setSystemTime(Math.min(vector.expires_ms, vector.created_ms + 86_400_000));
    expect(await verifyAgent(request, site)).toMatchObject({ verified: false, problem: 'expired' });
  });
});

describe('an agent whose keys are given', () => {
  test('is verified in a standard request, and in that of Node', async () => {
    const headers = await sign();
    expect(await verify(headers)).toEqual(verified);
    const nodes = { method: 'GET', url: '/path?q=1', headers: { host: 'inner:8080', ...headers } };
    expect(await verifyAgent(nodes, { origin, agents: [pinned()] })).toEqual(verified);
  });

  test('may cover the request and other fields', async () => {
    const lines = [
      ...covered,
      '"@method": GET',
      '"@scheme": https',
      '"@target-uri": https://shop.example/path?q=1',
      '"@path": /path',
      '"@query": ?q=1',
      '"@request-target": /path?q=1',
      '"@query-param";name="q": 1',
      '"accept": text/html',
    ];
    expect(await verify({ ...(await sign({ lines })), accept: ' text/html ' })).toEqual(verified);
  });

  test('may name no directory, and then only its keys count', async () => {
    const headers = await sign({ lines: covered.slice(0, 1), signatureAgent: '' });
    expect(await verify(headers)).toEqual(verified);
    expect(await verify(headers, { agents: [{ name: 'Other', keys: [otherKey.jwk] }] })).toEqual(
      unverified('unknown_key', 'unknown'),
    );
  });

  test('cannot sign as another agent', async () => {
    const other = { name: 'Other', directory: 'https://other.example', keys: [otherKey.jwk] };
    const headers = await sign({ by: otherKey });
    expect(await verify(headers, { agents: [pinned(), other] })).toEqual(unverified('unknown_key'));
  });

  test('is verified if only one of several signatures is its own', async () => {
    const foreign = await sign({ by: otherKey, label: 'first', lines: covered });
    const own = await sign();
    const join = (name: 'signature' | 'signature-input') => `${foreign[name]}, ${own[name]}`;
    const both = { ...own, signature: join('signature'), 'signature-input': join('signature-input') };
    expect(await verify(both)).toEqual(verified);
  });
});

describe('is not declared', () => {
  test('without the headers', async () => {
    expect(await verify({})).toBeUndefined();
  });

  test('by a signature with another tag', async () => {
    const params = `;created=${nowSeconds};expires=${nowSeconds + 60};keyid="${key.keyid}";tag="other"`;
    const lines = covered.slice(0, 1);
    expect(await verify(await sign({ params, lines, signatureAgent: '' }))).toBeUndefined();
  });
});

describe('is not verified', () => {
  const params = (text: string) => `;keyid="${key.keyid}"${text}`;
  const times = `;created=${nowSeconds};expires=${nowSeconds + 60}`;

  test.each<readonly [name: string, problem: string, signing: () => Signing]>([
    ['when the signature has expired', 'expired', () => ({ created: nowSeconds - 60 })],
    ['a day after it was signed', 'expired', () => ({ created: nowSeconds - 86_400, expires: nowSeconds + 60 })],
    ['when it was signed in the future', 'not_yet_valid', () => ({ created: nowSeconds + 61 })],
    ['for another authority', 'signature_mismatch', () => ({ lines: ['"@authority": evil.example', `${covered[1]}`] })],
    ['for another path', 'signature_mismatch', () => ({ lines: [...covered, '"@path": /other'] })],
    ['for another method', 'signature_mismatch', () => ({ lines: [...covered, '"@method": POST'] })],
    ['without the authority', 'incomplete', () => ({ lines: covered.slice(1) })],
    ['without its name in the signature', 'incomplete', () => ({ lines: covered.slice(0, 1) })],
    ['with an unknown key', 'unknown_key', () => ({ by: otherKey })],
    ['without a key ID', 'malformed', () => ({ params: `${times};tag="web-bot-auth"` })],
    ['without the time', 'malformed', () => ({ params: params(';tag="web-bot-auth"') })],
    ['with another tag', 'unsigned', () => ({ params: params(`${times};tag="other"`) })],
    ['without a tag', 'unsigned', () => ({ params: params(times) })],
    [
      'with another algorithm',
      'unsupported',
      () => ({ params: params(`${times};alg="hmac-sha256";tag="web-bot-auth"`) }),
    ],
    ['with a missing field', 'unsupported', () => ({ lines: [...covered, '"x-purpose": shopping'] })],
    ['with a component twice', 'unsupported', () => ({ lines: [...covered, ...covered.slice(0, 1)] })],
    ['with a component for responses', 'unsupported', () => ({ lines: [...covered, '"@status": 200'] })],
  ])('%s: %s', async (_name, problem, signing) => {
    expect(await verify(await sign(signing()))).toEqual(unverified(problem));
  });

  test.each([
    ['signature', 'signature_mismatch', `sig=:${Buffer.alloc(64).toString('base64')}:`],
    ['signature', 'signature_mismatch', 'sig=:AAAA:'],
    ['signature', 'malformed', 'other=:AAAA:'],
    ['signature', 'malformed', 'sig="text"'],
    ['signature', 'malformed', '('],
    ['signature-input', 'malformed', '(((('],
    ['signature-input', 'unsigned', 'sig'],
  ])('with the header %s: %s: %s', async (name, problem, value) => {
    expect(await verify({ ...(await sign()), [name]: value })).toEqual(unverified(problem));
  });

  test.each([
    ['sig="https://evil.example"', 'unknown_agent', 'evil.example'],
    [`sig="${agentOrigin}";type=jwks_uri`, 'unsupported', 'Agent'],
    [`sig="${agentOrigin}/path"`, 'malformed', 'Agent'],
    ['sig="http://agent.example"', 'malformed', 'unknown'],
    ['sig=1', 'malformed', 'unknown'],
    ['other="https://evil.example"', 'malformed', 'unknown'],
    ['((', 'malformed', 'unknown'],
  ])('with the agent %s: %s', async (signatureAgent, problem, name) => {
    expect(await verify(await sign({ signatureAgent }))).toEqual(unverified(problem, name));
  });

  test('when a proxy changed a covered field', async () => {
    const headers = await sign({ lines: [...covered, '"accept": text/html'] });
    expect(await verify({ ...headers, accept: 'text/plain' })).toEqual(unverified('signature_mismatch'));
  });

  test('with a key that is not valid yet, or any more', async () => {
    const headers = await sign();
    for (const times of [{ nbf: nowSeconds + 1 }, { exp: nowSeconds }]) {
      const agents = [{ name: 'Agent', directory: agentOrigin, keys: [{ ...key.jwk, ...times }] }];
      expect(await verify(headers, { agents })).toEqual(unverified('unknown_key'));
    }
  });
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

test.each<readonly [message: RegExp, options: Partial<VerifyAgentOptions>]>([
  [/^origin must/, { origin: 'shop.example' }],
  [/^origin must/, { origin: 'https://shop.example/path' }],
  [/must have a directory or keys/, { agents: [{ name: 'Agent' }] }],
  [/must be an https origin/, { agents: [{ name: 'Agent', directory: 'http://agent.example' }] }],
  [/must be an https origin/, { agents: [{ name: 'Agent', directory: `${agentOrigin}/keys` }] }],
  [/1 to 256 characters/, { agents: [{ name: '', directory: agentOrigin }] }],
  [/^timeoutMs/, { timeoutMs: -1 }],
])('refuses an invalid option: %s', async (message, options) => {
  const error = await verify({}, options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(WhorlArgumentError);
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
});
