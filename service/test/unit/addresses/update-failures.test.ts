import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type UpdateResult, updateSources } from '../../../src/resources/addresses/published/update.js';
import { writeMmdb } from '../../support/mmdb.js';
import { never, type Receiver, startReceiver } from '../../support/receiver.js';
import { database, now, ranges, updatesOf } from './update-harness.js';
import { writeTar } from './write-tar.js';

let publisher: Receiver;
beforeAll(async () => {
  publisher = await startReceiver();
});
afterAll(() => publisher.close());

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whorl-updates-'));
});
afterEach(async () => {
  publisher.hangUp();
  publisher.clear();
  await rm(folder, { recursive: true, force: true });
});

const { serve, city, tor, pathOf, update, failureOf } = updatesOf(() => ({ publisher, folder }));

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
    ['a list of everything', `${ranges(9)}0.0.0.0/1\n`, 'it covers 50% of all addresses; --force accepts it'],
    ['a list of all of IPv6', `${ranges(9)}::/0\n`, 'it covers 100% of all addresses; --force accepts it'],
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
