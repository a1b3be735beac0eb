import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type KnownAgent, type VerifyAgentOptions, verifyAgent, WhorlArgumentError } from '../../src/server/index.js';
import {
  agentOrigin,
  covered,
  key,
  now,
  nowSeconds,
  origin,
  otherKey,
  type Signing,
  sign,
  unverified,
  verified,
} from './agent-signatures.js';
import vectors from './agent-vectors.json' with { type: 'json' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

const pinned = (): KnownAgent => ({ name: 'Agent', directory: agentOrigin, keys: [key.jwk] });

/** Verifies a request to /path?q=1. */
function verify(headers: Record<string, string>, options: Partial<VerifyAgentOptions> = {}) {
  return verifyAgent(new Request(`${origin}/path?q=1`, { headers }), { origin, agents: [pinned()], ...options });
}

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
