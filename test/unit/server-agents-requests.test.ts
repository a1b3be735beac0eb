import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { verifyAgent } from '../../src/server/index.js';
import { agentOrigin, covered, key, now, origin, sign, unverified, verified } from './agent-signatures.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

const known = { name: 'Agent', directory: agentOrigin, keys: [key.jwk] };

/** Verifies a request as Node has it. */
function verify(url: string, headers: Record<string, string> = {}, agents = [known]) {
  return verifyAgent({ method: 'GET', url, headers: { host: 'inner:8080', ...headers } }, { origin, agents });
}

describe('the target of a request', () => {
  const paths = ['//', '/\\', '///', '//:80', '//a:99999/login', '//evil/login', '/a/../b', '/%41/./', '/a#b'];

  test.each(paths)('is the path that was sent: %s', async (url) => {
    const path = url.replace('#b', '');
    const lines = [...covered, `"@path": ${path}`, `"@target-uri": ${origin}${path}`, `"@request-target": ${path}`];
    expect(await verify(url, await sign({ lines }))).toEqual(verified);
    expect(await verify(url)).toBeUndefined();
  });

  test('is not the path after what looks like a host', async () => {
    const headers = await sign({ lines: [...covered, '"@path": /login'] });
    expect(await verify('/login', headers)).toEqual(verified);
    expect(await verify('//evil/login', headers)).toEqual(unverified('signature_mismatch'));
    expect(await verify('https://evil.example/login', headers)).toEqual(verified);
  });

  test.each([
    ['/path', '?', '/path'],
    ['/path?', '?', '/path?'],
    ['/?q=%61', '?q=%61', '/?q=%61'],
  ])('has the query that was sent: %s', async (url, query, target) => {
    const lines = [...covered, `"@query": ${query}`, `"@request-target": ${target}`];
    expect(await verify(url, await sign({ lines }))).toEqual(verified);
  });

  test.each(['http://[', 'https://a:99999/', '*', '', 'path', 'x:.evil/', 'mailto:/login'])(
    'that cannot be read is malformed, if the request declares an agent: "%s"',
    async (url) => {
      expect(await verify(url, await sign())).toEqual(unverified('malformed'));
      expect(await verify(url)).toBeUndefined();
    },
  );
});

describe('what a stranger sends', () => {
  const unsupported = [...covered, '"@query-param";name="missing": 1'];

  test('is not looked into before the agent and its key are known', async () => {
    const headers = await sign({ lines: unsupported });
    expect(await verify('/', headers)).toEqual(unverified('unsupported'));
    expect(await verify('/', headers, [])).toEqual(unverified('unknown_agent', 'agent.example'));
    expect(await verify('/', headers, [{ ...known, keys: [] }])).toEqual(unverified('unknown_key'));
  });

  test('can cover up to 32 components', async () => {
    const names = Array.from({ length: 31 }, (_, at) => `p${at}`);
    const url = `/?${names.map((name) => `${name}=1`).join('&')}`;
    const lines = [...covered, ...names.map((name) => `"@query-param";name="${name}": 1`)];
    expect(await verify(url, await sign({ lines: lines.slice(0, 32) }))).toEqual(verified);
    expect(await verify(url, await sign({ lines }))).toEqual(unverified('unsupported'));
  });

  test.each([
    ['a parameter that occurs twice', '/?q=1&q=1', '"@query-param";name="q": 1'],
    ['a member that is missing', '/', '"x-list";key="c": 1'],
  ])('cannot cover %s', async (_, url, line) => {
    const headers = { ...(await sign({ lines: [...covered, line] })), 'x-list': 'a=1, b="2"' };
    expect(await verify(url, headers)).toEqual(unverified('unsupported'));
  });

  test('can cover several parts of the query and of a field', async () => {
    const lines = [
      ...covered,
      '"@query-param";name="a%20b": c%20d',
      '"@query-param";name="q": ',
      '"x-list";key="a": 1',
      '"x-list";key="b": "2"',
    ];
    const headers = { ...(await sign({ lines })), 'x-list': 'a=1, b="2"' };
    expect(await verify('/?a+b=c+d&q', headers)).toEqual(verified);
  });
});

test.each([
  { kty: 'OKP', crv: 'Ed25519', x: '' },
  { kty: 'RSA', n: 'a'.repeat(342), e: '' },
])('a malformed key does not make the others of an agent unusable: %j', async (malformed) => {
  const headers = await sign();
  expect(await verify('/', headers, [{ ...known, keys: [malformed, key.jwk] }])).toEqual(verified);
  expect(await verify('/', headers, [{ ...known, keys: [malformed] }])).toEqual(unverified('unknown_key'));
});
