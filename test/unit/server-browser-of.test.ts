import { describe, expect, test } from 'vitest';
import { browserOf } from '../../src/server/index.js';
import { clientOf, evaluation, json, request, serve } from './server-harness.js';

const collected = { fingerprint: 'w1', last_fingerprint: 'w0', version: '0.1.0', proof: 'a.b.c' };

/** Returns an object whose properties all throw. */
const throwing = () =>
  Object.defineProperty({}, 'fingerprint', {
    enumerable: true,
    get() {
      throw new Error('A getter throws.');
    },
  });

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('browserOf', () => {
  test('returns the fields of collect, and nothing else of the body', () => {
    const others = { ip: '192.0.2.1', user: 'bob', outcome: 'failed', user_agent: 'x', email: 'a@example.com' };
    expect(browserOf({ ...collected, ...others })).toEqual(collected);
  });

  test('returns the fields of a form', () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...collected, password: 'secret' })) form.set(name, value);
    expect(browserOf(form)).toEqual(collected);
  });

  test('returns the user agent of the headers', () => {
    expect(browserOf(collected, new Headers({ 'User-Agent': 'A browser' })).user_agent).toBe('A browser');
    expect(browserOf(collected, { 'User-Agent': 'A browser' }).user_agent).toBe('A browser');
  });

  test('returns the fields in the cookie if the body has no fingerprint', () => {
    const headers = { cookie: `a=b; whorl=${encodeURIComponent(JSON.stringify(collected))}` };
    expect(browserOf({ code: '1' }, headers)).toEqual(collected);
    expect(browserOf({ fingerprint: 'w2' }, headers)).toEqual({ fingerprint: 'w2' });
  });

  test.each(['%', 'null', '"x"', '%7B', encodeURIComponent('{"fingerprint":{}}')])('ignores the cookie %s', (value) => {
    expect(browserOf({}, { cookie: `whorl=${value}` })).toEqual({});
  });

  test.each([
    ['fingerprint', 4096],
    ['last_fingerprint', 4096],
    ['version', 64],
    ['proof', 8192],
  ] as const)('leaves out %s if the service would refuse it', (name, maxLength) => {
    const given = (value: unknown) => browserOf({ ...collected, [name]: value })[name];
    expect(given('x'.repeat(maxLength))).toBe('x'.repeat(maxLength));
    const refused = ['x'.repeat(maxLength + 1), '', 'a\u0000', 'a\nb', '\ud800', 1, null, {}, ['a'], true];
    for (const value of refused) expect([value, given(value)]).toEqual([value, undefined]);
  });

  test('leaves out a user agent of more than 2,048 characters', () => {
    expect(browserOf({}, { 'user-agent': 'x'.repeat(2049) })).toEqual({});
  });

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a text', JSON.stringify(collected)],
    ['a long text', 'x'.repeat(5000)],
    ['a number', 1],
    ['a list', [collected]],
    ['a function', () => collected],
    ['an object whose getter throws', throwing()],
    ['a revoked proxy', revoked()],
    ['an object that inherits the fields', Object.create(collected)],
    ['an object with the fields in __proto__', JSON.parse(`{"__proto__":${JSON.stringify(collected)}}`)],
  ])('returns nothing of %s', (_, body) => {
    expect(browserOf(body)).toEqual({});
  });

  test('reads no polluted prototype', () => {
    Object.assign(Object.prototype, { fingerprint: 'polluted' });
    try {
      expect(Object.hasOwn(browserOf({}), 'fingerprint')).toBe(false);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'fingerprint');
    }
  });
});

test.each([
  ['a long name', 'x'.repeat(5000), 'x'.repeat(256)],
  ['a name with control characters', 'a\u0000b\ud800', 'ab'],
  ['a name without acceptable characters', '\n', 'unknown'],
  ['no name', undefined, 'unknown'],
  ['an object that cannot be converted', { toString: 1 }, 'unknown'],
  ['a number', 42, '42'],
])('reportFailure accepts %s that was entered', async (_, entered, sent) => {
  const server = await serve(json(evaluation));
  await clientOf(server).reportFailure(Object.assign({}, request, { user: entered }));
  expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({ user: sent });
});
