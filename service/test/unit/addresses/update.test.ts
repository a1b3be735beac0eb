import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startUpdates } from '../../../src/resources/addresses/published/scheduled-updates.js';
import { updateSources } from '../../../src/resources/addresses/published/update.js';
import { createLog } from '../../../src/server/log.js';
import { never, type Receiver, startReceiver, status } from '../../support/receiver.js';
import { waitFor } from '../../support/wait-for.js';
import { database, now, ranges, updatesOf } from './update-harness.js';
import { writeTar } from './write-tar.js';

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

const { serve, city, tor, pathOf, update, failureOf } = updatesOf(() => ({ publisher, folder }));

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
