import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findChecksum } from '../../../src/resources/addresses/published/rules/checksum.js';
import { checkSources, mayFollow, urlsOf } from '../../../src/resources/addresses/published/rules/sources-file.js';
import { failedState, isDue, newState } from '../../../src/resources/addresses/published/rules/update-state.js';
import { UpdateError, updateFailure } from '../../../src/resources/addresses/published/update-error.js';
import { agesOf, oldSources } from '../../../src/resources/addresses/rules/age.js';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const source = { name: 'tor', kind: 'tor', url: 'https://check.torproject.org/torbulkexitlist' };

describe('the file of sources', () => {
  test('in deploy/ and in the docs is valid', () => {
    const example = checkSources(JSON.parse(read('deploy/addresses.example.json')));
    expect(example).toMatchObject({ valid: { sources: expect.any(Array) } });
    const [, sample = ''] = /```json\n(\{\n {2}"folder".*?)```/s.exec(read('docs/addresses.md')) ?? [];
    expect(checkSources(JSON.parse(sample))).toMatchObject({ valid: { folder: '/var/lib/whorl/addresses' } });
  });

  test.each<[content: unknown, problem: string]>([
    [[], 'The content must be an object.'],
    [{}, 'sources must be a list.'],
    [{ sources: [] }, 'sources must contain at least one source.'],
    [{ sources: [source, source] }, 'sources must have different names.'],
    [{ sources: [source], folders: 'a' }, 'The content has unknown fields: folders.'],
    [{ sources: [{ ...source, token: 'hunter2' }] }, 'sources[0] has unknown fields: token.'],
    [{ sources: ['tor'] }, 'sources[0] must be an object.'],
    [{ sources: [{ ...source, name: '../tor' }] }, 'sources[0].name must consist of lower-case letters'],
    [{ sources: [{ ...source, kind: 'spam' }] }, 'sources[0].kind must be one of tor, relay'],
    [{ sources: [source, { ...source, name: 'b', checksum: 'md5:1' }] }, 'sources[1].checksum must be "sha256:"'],
    [{ sources: [{ ...source, authorization_env: 'WHORL_SECRET' }] }, 'sources[0].authorization_env must be the name'],
    [{ sources: [{ ...source, credit: { text: 'x', url: 'javascript:alert(1)' } }] }, 'sources[0].credit.url must be'],
  ])('is refused if it is %j', (content, problem) => {
    const checked = checkSources(content);
    expect('problems' in checked && checked.problems).toContain(problem);
    expect(JSON.stringify(checked)).not.toContain('hunter2');
  });

  test.each([
    ['https://db-ip.com/{YYYY-MM}.mmdb.gz', true],
    ['http://127.0.0.1:8080/list', true],
    ['http://[::1]/list', true],
    ['http://localhost/list', true],
    ['http://db-ip.com/list', false],
    ['http://127.0.0.1.evil.example/list', false],
    ['http://10.0.0.1/list', false],
    ['https://user:hunter2@db-ip.com/list', false],
    ['file:///etc/passwd', false],
    ['db-ip.com', false],
  ])('allows only HTTPS, and HTTP on this machine: %s', (url, isValid) => {
    expect('valid' in checkSources({ sources: [{ ...source, url }] })).toBe(isValid);
  });
});

test.each([
  ['https://a.example/', 'https://b.example/', true],
  ['https://a.example/', 'http://a.example/', false],
  ['https://a.example/', 'http://127.0.0.1/', false],
  ['http://127.0.0.1/', 'http://127.0.0.1:81/', true],
  ['http://127.0.0.1/', 'http://a.example/', false],
])('from %s to %s may be followed: %s', (from, to, isAllowed) => {
  expect(mayFollow(new URL(to), new URL(from))).toBe(isAllowed);
});

test('a month is this one or the previous one', () => {
  const january = new Date('2027-01-01T00:30:00Z');
  expect(urlsOf('https://a.example/{YYYY-MM}/{YYYY-MM}.gz', january)).toEqual([
    'https://a.example/2027-01/2027-01.gz',
    'https://a.example/2026-12/2026-12.gz',
  ]);
  expect(urlsOf('https://a.example/', january)).toEqual(['https://a.example/']);
});

test.each([
  [Object.assign(new Error('/secret'), { code: 'ENOSPC' }), 'the disk is full'],
  [
    Object.assign(new Error('x'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    'the certificate of the server is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)',
  ],
  [Object.assign(new Error('x'), { code: 'EIO' }), 'EIO'],
  [new TypeError('https://a.example/?token=hunter2'), 'TypeError'],
  [new UpdateError('the server answered 500'), 'the server answered 500'],
  ['hunter2', 'unknown error'],
])('a failure is explained without quoting errors of others: %s', (error, reason) => {
  expect(updateFailure(error)).toBe(reason);
});

test('a checksum is the only one, or the one of the file', () => {
  const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
  expect(findChecksum(`${a.toUpperCase()}\r\n`, 'x.gz')).toBe(a);
  expect(findChecksum(`${a}  GeoLite2-City_20261101.tar.gz\n`, 'download')).toBe(a);
  expect(findChecksum(`${a}  x.gz\n${b} *y.gz\n`, 'y.gz')).toBe(b);
  expect(findChecksum(`${a}  x.gz\n${b}  y.gz\n`, 'z.gz')).toBeUndefined();
  expect(findChecksum('<html></html>', 'x.gz')).toBeUndefined();
});

test('a source is checked once a day, and less and less often after failures', () => {
  const start = new Date('2026-11-20T12:00:00Z');
  const after = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
  expect(isDue(undefined, start)).toBe(true);
  const checked = { ...newState, checked_at: start.toISOString() };
  expect([0, 23, 24, -1].map((hours) => isDue(checked, after(hours)))).toEqual([false, false, true, true]);
  const pauses = [1, 2, 4, 8, 16, 24, 24];
  let state = newState;
  for (const pause of pauses) {
    state = failedState(state, 'no', start);
    expect([isDue(state, after(pause - 0.1)), isDue(state, after(pause))]).toEqual([false, true]);
  }
});

test('databases are old from 61 days on, unless others are asked first', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  const sources = [
    { label: 'new', date: new Date('2026-09-21T12:00:00Z') },
    { label: 'old', date: new Date('2026-09-20T12:00:00Z') },
    { label: 'fallback', date: new Date('2020-01-01T00:00:00Z'), isFallback: true },
  ];
  expect(oldSources(sources, now).map(({ label }) => label)).toEqual(['old']);
  expect([...agesOf(sources, now)]).toEqual([
    ['new', 60 * 86_400],
    ['old', 61 * 86_400],
  ]);
});
