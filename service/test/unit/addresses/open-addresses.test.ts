import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AddressInfo } from 'whorl/wire';
import {
  type AddressFiles,
  type OpenedAddresses,
  openAddresses,
} from '../../../src/resources/addresses/open-addresses.js';
import { createLog } from '../../../src/server/log.js';
import { writeMmdb } from '../../support/mmdb.js';
import { waitFor } from '../../support/wait-for.js';

const ip = '81.2.69.142';
const database = (country: string) =>
  writeMmdb([['81.2.69.0/24', { country: { iso_code: country } }]], { type: 'Test-Country' });

describe('files of addresses', () => {
  let folder: string;
  let opened: OpenedAddresses | undefined;
  let lines: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whorl-addresses-'));
    lines = [];
  });
  afterEach(async () => {
    opened?.close();
    opened = undefined;
    await rm(folder, { recursive: true });
  });

  const open = async (files: Partial<AddressFiles>) => {
    const log = createLog('info', { write: (line) => lines.push(line) });
    opened = await openAddresses({ databases: [], lists: [], ...files }, { log, checkEveryMs: 10 });
    return opened.book;
  };
  const placed = async (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    // Renamed, so that the file is complete when it appears.
    await writeFile(`${path}.new`, content);
    await rename(`${path}.new`, path);
    return path;
  };
  const hasLogged = (text: string) => waitFor(() => lines.some((line) => line.includes(text)), { what: text });

  test('are asked before the databases that come with the service', async () => {
    const book = await open({ databases: [await placed('own.mmdb', database('FR'))] });
    expect(book.lookUp(ip)).toMatchObject({
      country: 'FR',
      asn: expect.any(Number),
      sources: { country: 'Test-Country 2026-11-01', asn: expect.stringMatching(/^ip-location-db asn 20/) },
    } satisfies Partial<Record<keyof AddressInfo, unknown>>);
    expect(book.sources().map(({ name }) => name)).toHaveLength(3);
  });

  test('are replaced while the service runs', async () => {
    const path = await placed('own.mmdb', database('FR'));
    const list = await placed('tor.txt', '9.9.9.9');
    const book = await open({ databases: [path], lists: [{ kind: 'tor', path: list }] });
    expect([book.lookUp(ip)?.country, book.lookUp(ip)?.kind]).toEqual(['FR', undefined]);
    await placed('own.mmdb', database('IT'));
    await placed('tor.txt', `9.9.9.9\n${ip}`);
    await waitFor(() => book.lookUp(ip)?.country === 'IT' && book.lookUp(ip)?.kind === 'tor', { what: 'new files' });
    await hasLogged('Replaced a file of addresses');
  });

  test.each([
    ['truncated', database('IT').subarray(0, 300), 'not an MMDB file, or is incomplete'],
    ['text', Buffer.from('not found'), 'not an MMDB file, or is incomplete'],
    ['empty', Buffer.alloc(0), 'not an MMDB file, or is incomplete'],
  ])('keep the previous content if the new file is %s', async (_name, content, reason) => {
    const path = await placed('own.mmdb', database('FR'));
    const book = await open({ databases: [path] });
    await placed('own.mmdb', content);
    await hasLogged(reason);
    expect(book.lookUp(ip)?.country).toBe('FR');
    await placed('own.mmdb', database('IT'));
    await waitFor(() => book.lookUp(ip)?.country === 'IT', { what: 'a valid file' });
    expect(lines.filter((line) => line.includes('was refused'))).toHaveLength(1);
  });

  test('keep the previous content if a list is damaged or deleted', async () => {
    const path = await placed('vpn.txt', '81.2.0.0/16');
    const book = await open({ databases: 'none', lists: [{ kind: 'vpn', path }] });
    await placed('vpn.txt', '<html>503</html>');
    await hasLogged('line 1 is not an address or range');
    await rm(path);
    await hasLogged('the file does not exist');
    expect(book.lookUp(ip)).toMatchObject({ kind: 'vpn', sources: { kind: expect.stringMatching(/^vpn\.txt \d{4}/) } });
  });

  test('stop the start if they are not valid', async () => {
    await expect(open({ databases: [join(folder, 'none.mmdb')] })).rejects.toThrow(
      `ADDRESS_DATABASES: ${join(folder, 'none.mmdb')} cannot be used: the file does not exist.`,
    );
    const list = await placed('tor.txt', '# none');
    await expect(open({ lists: [{ kind: 'tor', path: list }] })).rejects.toThrow(
      `ADDRESS_LISTS: ${list} cannot be used: it contains no addresses.`,
    );
  });

  test('without IPv6 say nothing about it', async () => {
    const path = await placed(
      'own.mmdb',
      writeMmdb([['32.0.0.0/3', { country_code: 'FR' }]], { type: 'v4', ipVersion: 4 }),
    );
    const book = await open({ databases: [path] });
    expect(book.lookUp('32.1.1.1')?.country).toBe('FR');
    expect(book.lookUp('2001:4860:4860::8888')?.country).toBe('US');
  });

  test('say nothing about private and test addresses, even if they contain them', async () => {
    const own = writeMmdb(
      ['10.0.0.0/8', '203.0.113.0/24', '2001:db8::/32'].map((net) => [net, { country_code: 'FR' }]),
      {
        type: 'own',
      },
    );
    const path = await placed('all.txt', '0.0.0.0/0\n::/0');
    const book = await open({ databases: [await placed('own.mmdb', own)], lists: [{ kind: 'hosting', path }] });
    for (const test of ['10.1.1.1', '203.0.113.9', '2001:db8::1', '127.0.0.1'])
      expect(book.lookUp(test)).toBeUndefined();
    expect(book.lookUp('8.8.8.8')?.kind).toBe('hosting');
  });
});
