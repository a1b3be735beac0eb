import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PublishedSource } from '../../../src/resources/addresses/published/rules/sources-file.js';
import { startUpdates } from '../../../src/resources/addresses/published/scheduled-updates.js';
import {
  type UpdateOptions,
  type UpdateResult,
  updateSources,
} from '../../../src/resources/addresses/published/update.js';
import { createLog } from '../../../src/server/log.js';
import { writeMmdb } from '../../support/mmdb.js';
import { never, type Receiver, startReceiver, status } from '../../support/receiver.js';
import { waitFor } from '../../support/wait-for.js';
import { writeTar } from './write-tar.js';

const now = new Date('2026-11-20T12:00:00Z');
const country = (code: string) => [['81.2.69.0/24', { country: { iso_code: code } }]] as const;
const database = (builtAt = '2026-11-01', code = 'DE') =>
  writeMmdb(country(code), { type: 'Test-Country', builtAt: new Date(`${builtAt}T00:00:00Z`) });
const ranges = (count: number) => Array.from({ length: count }, (_, index) => `9.9.${index}.1\n`).join('');

let publisher: Receiver;
let other: Receiver;
beforeAll(async () => {
  publisher = await startReceiver();
  other = await startReceiver();
});
afterAll(async () => {
  await publisher.close();
  await other.close();
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whorl-updates-'));
});
afterEach(async () => {
  publisher.hangUp();
  for (const each of [publisher, other]) each.clear();
  await rm(folder, { recursive: true, force: true });
});

const serve = (path: string, body: Buffer | string, headers: Record<string, string> = {}) =>
  publisher.answerAlways(path, (response) => response.writeHead(200, headers).end(body));
const city = (more: Partial<PublishedSource> = {}): PublishedSource => ({
  name: 'city',
  url: `${publisher.url}/city`,
  ...more,
});
const tor = (): PublishedSource => ({ name: 'tor', kind: 'tor', url: `${publisher.url}/tor` });
const pathOf = (name: string) => join(folder, name);

async function update(
  sources: readonly PublishedSource[] = [city()],
  options: Partial<UpdateOptions> = {},
): Promise<UpdateResult[]> {
  const results: UpdateResult[] = [];
  const report = (result: UpdateResult) => void results.push(result);
  await updateSources({ folder, sources }, { report, now: () => now, environment: {}, ...options });
  return results;
}

/** Updates one source, and returns why it failed. Fails if it does not. */
async function failureOf(source: PublishedSource, options: Partial<UpdateOptions> = {}): Promise<string | undefined> {
  const [result] = await update([source], options);
  expect(result?.outcome).toBe('failed');
  return result?.reason;
}

describe('an update', () => {
  test.each([
    ['an MMDB file', (content: Buffer) => content],
    ['an MMDB file in gzip', gzipSync],
    ['the MMDB file of an archive', (content: Buffer) => writeTar([{ name: 'GeoLite2/City.mmdb', content }])],
    [
      'the MMDB file of a packed archive with other files',
      (content: Buffer) =>
        gzipSync(
          writeTar([
            { name: 'GeoLite2_20261101/', type: '5' },
            { name: 'GeoLite2_20261101/LICENSE.txt', content: Buffer.from('Terms') },
            { name: 'GeoLite2_20261101/GeoLite2-City.mmdb', content },
            { name: 'GeoLite2_20261101/README.txt', content: Buffer.alloc(2000, 'a') },
          ]),
        ),
    ],
  ])('loads %s', async (_name, pack) => {
    serve('/city', pack(database()));
    expect(await update()).toMatchObject([{ source: { name: 'city' }, outcome: 'updated' }]);
    expect(await readFile(pathOf('city.mmdb'))).toEqual(database());
    expect((await readdir(folder)).filter((name) => !name.startsWith('lock.')).sort()).toEqual([
      'city.mmdb',
      'state.json',
    ]);
  });

  test('asks only for what has changed', async () => {
    publisher.answerAlways('/city', (response, { headers }) => {
      if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else response.writeHead(200, { ETag: '"one"' }).end(database());
    });
    expect((await update())[0]?.outcome).toBe('updated');
    const { mtimeMs } = await stat(pathOf('city.mmdb'));
    expect((await update())[0]?.outcome).toBe('unchanged');
    expect((await stat(pathOf('city.mmdb'))).mtimeMs).toBe(mtimeMs);
    expect((await update([city()], { force: true }))[0]?.outcome).toBe('updated');
  });

  test('loads a file again that somebody changed or deleted', async () => {
    publisher.answerAlways('/city', (response, { headers }) => {
      if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else response.writeHead(200, { ETag: '"one"' }).end(database());
    });
    await update();
    await writeFile(pathOf('city.mmdb'), 'damaged');
    expect((await update())[0]?.outcome).toBe('updated');
    await rm(pathOf('city.mmdb'));
    expect((await update([city()], { onlyDue: true }))[0]?.outcome).toBe('updated');
    expect(await readFile(pathOf('city.mmdb'))).toEqual(database());
  });

  test('recognises the same file without the help of the server, and counts a list as fresh', async () => {
    serve('/tor', ranges(3));
    await update([tor()]);
    expect((await update([tor()]))[0]?.outcome).toBe('unchanged');
    expect((await stat(pathOf('tor.txt'))).mtime).toEqual(now);
  });

  test('takes the file of the previous month until this month has one', async () => {
    const source = city({ url: `${publisher.url}/city-{YYYY-MM}.mmdb` });
    publisher.answerAlways('/city-2026-11.mmdb', status(404));
    serve('/city-2026-10.mmdb', database('2026-10-01'));
    expect(await update([source])).toMatchObject([{ outcome: 'updated' }]);
    serve('/city-2026-11.mmdb', database('2026-11-01'));
    expect(await update([source])).toMatchObject([{ outcome: 'updated' }]);
    expect(await readFile(pathOf('city.mmdb'))).toEqual(database('2026-11-01'));
    expect(publisher.received.map(({ path }) => path)).toEqual([
      '/city-2026-11.mmdb',
      '/city-2026-10.mmdb',
      '/city-2026-11.mmdb',
    ]);
  });

  test('compares the checksum of the publisher', async () => {
    const packed = gzipSync(database());
    const sum = createHash('sha256').update(packed).digest('hex');
    serve('/city', packed);
    serve('/city.sha256', `${sum}  city\n`);
    const checksum = `${publisher.url}/city.sha256`;
    expect(await update([city({ checksum })])).toMatchObject([{ outcome: 'updated' }]);
    expect(await update([city({ checksum: `sha256:${sum}` })], { force: true })).toMatchObject([
      { outcome: 'updated' },
    ]);
  });

  test('goes on after a source that fails, and updates the chosen ones only', async () => {
    publisher.answerAlways('/city', status(503));
    serve('/tor', ranges(1));
    expect((await update([city(), tor()])).map(({ outcome }) => outcome)).toEqual(['failed', 'updated']);
    expect((await update([city(), tor()], { names: ['tor'] })).map(({ source }) => source.name)).toEqual(['tor']);
  });
});

describe('the previous file stays in use', () => {
  const zeros = Buffer.alloc(200_000);
  const one = { name: 'a.mmdb', content: database() };
  const cases: [name: string, body: Buffer | string, reason: string][] = [
    ['an error page with status 200', '<html>Maintenance</html>', 'it is not an MMDB file, or is incomplete'],
    ['nothing', '', 'it is not an MMDB file, or is incomplete'],
    ['half a database', database().subarray(0, 200), 'it is not an MMDB file, or is incomplete'],
    ['half of a packed database', gzipSync(database()).subarray(0, 60), 'the download is incomplete'],
    ['damaged gzip', Buffer.concat([gzipSync(database()).subarray(0, 40), zeros]), 'the download is damaged'],
    ['an older database', database('2026-10-01'), 'it was built on 2026-10-01, before the one in use (2026-11-01)'],
    ['a database of the future', database('2031-01-01'), 'its build date, 2031-01-01, is in the future'],
    ['a bomb', gzipSync(Buffer.alloc(5_000_000)), 'the file has more than 1000000 bytes'],
    [
      'a bomb in an archive',
      gzipSync(writeTar([{ name: 'a.mmdb', content: Buffer.alloc(5_000_000) }])),
      'the file has more than 1000000 bytes',
    ],
    ['a huge file', Buffer.alloc(600_000), 'the file has more than 500000 bytes'],
    [
      'a link in an archive',
      writeTar([{ name: 'a.mmdb', type: '2', linkTo: '/etc/passwd' }]),
      'the archive contains no MMDB file',
    ],
    [
      'a hard link in an archive',
      writeTar([{ name: 'a.mmdb', type: '1', linkTo: '../x' }]),
      'the archive contains no MMDB file',
    ],
    [
      'an archive with several databases',
      writeTar([one, { ...one, name: 'b.mmdb' }]),
      'the archive contains several MMDB files',
    ],
    ['half an archive', writeTar([one]).subarray(0, 700), 'the archive is incomplete'],
    [
      'a damaged archive',
      Buffer.concat([writeTar([{ name: 'a' }]).subarray(0, 512), Buffer.alloc(512, 'x')]),
      'the archive is damaged',
    ],
  ];
  test.each(cases)('if the publisher sends %s', async (_name, body, reason) => {
    serve('/city', database());
    await update();
    serve('/city', body);
    const limits = { downloadBytes: 500_000, unpackedBytes: 1_000_000 };
    expect(await failureOf(city(), { limits })).toContain(reason);
    expect(await readFile(pathOf('city.mmdb'))).toEqual(database());
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
    const { sources } = JSON.parse(await readFile(pathOf('state.json'), 'utf8'));
    expect(sources.city).toMatchObject({ failures: 1, error: { text: expect.stringContaining(reason) } });
    serve('/city', database('2026-11-02'));
    expect((await update())[0]?.outcome).toBe('updated');
  });

  test.each([
    ['an empty list', '# none\n', 'it contains no addresses'],
    ['an error page', '<html>Too many requests</html>', 'line 1 is not an address or range'],
    ['a much shorter list', ranges(4), 'it has 4 ranges, less than half of the 9 in use; --force accepts it'],
    ['a list of everything', `${ranges(9)}0.0.0.0/1\n`, 'it covers 50 % of all addresses; --force accepts it'],
    ['a list of all of IPv6', `${ranges(9)}::/0\n`, 'it covers 100 % of all addresses; --force accepts it'],
  ])('if the publisher sends %s', async (_name, body, reason) => {
    serve('/tor', ranges(9));
    await update([tor()]);
    serve('/tor', body);
    expect(await failureOf(tor())).toBe(reason);
    expect(await readFile(pathOf('tor.txt'), 'utf8')).toBe(ranges(9));
  });

  test('if a database is much smaller, unless it is forced', async () => {
    const networks = Array.from(
      { length: 200 },
      (_, index) => [`81.${index}.0.0/16`, { country_code: `A${index}` }] as const,
    );
    serve('/city', writeMmdb(networks, { type: 'Test' }));
    await update();
    serve('/city', database());
    expect(await failureOf(city())).toMatch(/^it has \d+ bytes, less than half of the \d+ in use; --force accepts it$/);
    expect((await update([city()], { force: true }))[0]?.outcome).toBe('updated');
  });

  test('if the checksum is another one', async () => {
    serve('/city', database());
    serve('/city.sha256', `${'0'.repeat(64)}\n`);
    serve('/none.sha256', '<html>Not found</html>');
    const differs = 'its SHA-256 is not the one that the publisher names';
    expect(await failureOf(city({ checksum: `sha256:${'0'.repeat(64)}` }))).toBe(differs);
    expect(await failureOf(city({ checksum: `${publisher.url}/city.sha256` }))).toBe(differs);
    expect(await failureOf(city({ checksum: `${publisher.url}/none.sha256` }))).toBe(
      'the file of the checksum contains no SHA-256',
    );
    expect(existsSync(pathOf('city.mmdb'))).toBe(false);
  });

  test('if the connection breaks', async () => {
    publisher.answerAlways('/city', (response) => {
      response.writeHead(200, { 'Content-Length': '5000' }).write(database());
      setImmediate(() => response.destroy());
    });
    expect(await failureOf(city())).toBe('the connection broke');
  });

  test('if the server never answers, or sends a byte now and then', async () => {
    publisher.answerAlways('/city', never);
    expect(await failureOf(city(), { limits: { idleMs: 100 } })).toBe('the server sent nothing for 0.1 seconds');
    publisher.answerAlways('/city', (response) => void response.writeHead(200).write('a'));
    expect(await failureOf(city(), { limits: { idleMs: 100 } })).toBe('the server sent nothing for 0.1 seconds');
    publisher.answerAlways('/city', (response) => {
      const timer = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(timer)).writeHead(200);
    });
    expect(await failureOf(city(), { limits: { totalMs: 300 } })).toBe('it took longer than 0.005 minutes');
  });

  test('if nobody listens', async () => {
    expect(await failureOf(city({ url: 'http://127.0.0.1:9/city' }))).toBe('the server refuses connections');
  });

  test('names in an archive are never used as paths', async () => {
    const inner = join(folder, 'inner');
    serve('/city', writeTar([{ name: '../evil.mmdb', content: database() }]));
    const results: UpdateResult[] = [];
    const published = { folder: inner, sources: [city()] };
    const options = { report: (result: UpdateResult) => void results.push(result), now: () => now, environment: {} };
    await updateSources(published, options);
    expect(results).toMatchObject([{ outcome: 'updated' }]);
    expect(await readdir(folder)).toEqual(['inner']);
    expect(await readFile(join(inner, 'city.mmdb'))).toEqual(database());
  });
});

describe('redirects', () => {
  const redirect = (to: string) => publisher.answerAlways('/city', status(302, { Location: to }));

  test.each([
    ['http://192.0.2.1/city'],
    ['file:///etc/passwd'],
    ['ftp://127.0.0.1/'],
    ['http://user:word@127.0.0.1/'],
    ['http://'],
  ])('to %s are not followed', async (to) => {
    redirect(to);
    expect(await failureOf(city())).toBe('the server redirected to an address without https://');
  });

  test('are followed five times', async () => {
    redirect('/city');
    expect(await failureOf(city())).toBe('the server redirected more than 5 times');
    expect(publisher.received).toHaveLength(6);
  });

  test('to another origin get no Authorization, and nor does a way back', async () => {
    redirect(`${other.url}/signed`);
    other.answerAlways('/signed', status(302, { Location: `${publisher.url}/back` }));
    serve('/back', database());
    const source = city({ authorization_env: 'CITY_AUTHORIZATION' });
    const environment = { CITY_AUTHORIZATION: 'Basic c2VjcmV0' };
    expect(await update([source], { environment })).toMatchObject([{ outcome: 'updated' }]);
    expect(publisher.received.map(({ headers }) => headers.authorization)).toEqual(['Basic c2VjcmV0', undefined]);
    expect(other.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});

describe('a secret', () => {
  const source = () => city({ authorization_env: 'CITY_AUTHORIZATION' });
  const environment = { CITY_AUTHORIZATION: 'Bearer hunter2' };

  test('is required if a source names one, and must be a header', async () => {
    expect(await failureOf(source())).toBe('the environment variable CITY_AUTHORIZATION is not set');
    const twoLines = { CITY_AUTHORIZATION: 'Bearer hunter2\r\nX-Evil: 1' };
    expect(await failureOf(source(), { environment: twoLines })).toBe(
      'CITY_AUTHORIZATION is not a valid Authorization header',
    );
    expect(publisher.received).toEqual([]);
  });

  test('is not sent for a checksum at another origin', async () => {
    serve('/city', database());
    const sum = createHash('sha256').update(database()).digest('hex');
    other.answerAlways('/sum', (response) => response.end(sum));
    expect(await update([{ ...source(), checksum: `${other.url}/sum` }], { environment })).toMatchObject([
      { outcome: 'updated' },
    ]);
    expect(publisher.received[0]?.headers.authorization).toBe('Bearer hunter2');
    expect(other.received[0]?.headers.authorization).toBeUndefined();
  });

  test('is in no result and no file', async () => {
    serve('/city?token=hunter2', database());
    const secret = { ...source(), url: `${publisher.url}/city?token=hunter2` };
    await update([secret], { environment });
    publisher.answerAlways('/city?token=hunter2', status(403));
    const [refused] = await update([secret], { environment });
    expect(refused?.reason).toBe('the server answered 403: check the value for authorization_env');
    expect(await readFile(pathOf('state.json'), 'utf8')).not.toContain('hunter2');
    expect(JSON.stringify(refused?.state)).not.toContain('hunter2');
  });
});

describe('two updates at once', () => {
  test('are refused, and leave nothing behind', async () => {
    publisher.answerAlways('/city', never);
    const stopping = new AbortController();
    const first = update([city()], { signal: stopping.signal });
    await waitFor(() => publisher.received.length === 1, { what: 'the first update' });
    await expect(update()).rejects.toThrow(`Another process is updating the files in ${folder}: try again`);
    stopping.abort();
    expect(await first).toEqual([]);
    expect(existsSync(pathOf('state.json'))).toBe(false);
    serve('/city', database());
    expect(await update()).toMatchObject([{ outcome: 'updated' }]);
  });

  test('are possible after a crash, which may leave a lock, unfinished files and a damaged state', async () => {
    await writeFile(pathOf('lock.3'), JSON.stringify({ pid: 2 ** 22 + 1, host: 'elsewhere', started: null }));
    const halfADay = new Date(Date.now() - 12 * 3_600_000);
    await utimes(pathOf('lock.3'), halfADay, halfADay);
    await writeFile(pathOf('1.part'), 'half');
    await writeFile(pathOf('state.json'), '{"sources":');
    serve('/city', database());
    expect(await update()).toMatchObject([{ outcome: 'updated' }]);
    expect(existsSync(pathOf('1.part'))).toBe(false);
  });
});

test('a folder that cannot be used is named', async () => {
  await writeFile(pathOf('file'), '');
  const inside = join(folder, 'file', 'addresses');
  const options = { report: () => undefined, now: () => now, environment: {} };
  await expect(updateSources({ folder: inside, sources: [city()] }, options)).rejects.toThrow(
    `The folder ${inside} cannot be used: ENOTDIR. Run updates as the user of the service.`,
  );
});

describe('a running service', () => {
  const log = createLog('silent');

  test('updates at its start and once a day', async () => {
    serve('/city', database());
    let at = now;
    const outcomes: string[] = [];
    const stop = startUpdates(
      { folder, sources: [city()] },
      { log, now: () => at, environment: {}, checkEveryMs: 5, onResult: ({ outcome }) => outcomes.push(outcome) },
    );
    await waitFor(() => outcomes.length === 1, { what: 'the first update' });
    at = new Date(now.getTime() + 25 * 3_600_000);
    await waitFor(() => outcomes.length === 2, { what: 'the second update' });
    await stop();
    expect(outcomes).toEqual(['updated', 'unchanged']);
  });

  test('interrupts an update when it stops', async () => {
    publisher.answerAlways('/city', never);
    const stop = startUpdates(
      { folder, sources: [city()] },
      { log, now: () => now, environment: {}, checkEveryMs: 5, onResult: () => undefined },
    );
    await waitFor(() => publisher.received.length === 1, { what: 'the request' });
    await stop();
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
