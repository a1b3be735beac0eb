import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BookDatabase, openBundled } from '../../../src/resources/addresses/bundled.js';
import { hostingNetworks, mobileNetworks } from '../../../src/resources/addresses/rules/network-kinds.js';
import { parseNetworks } from '../../../src/resources/addresses/rules/network-table.js';
import { publicKeyOf } from '../../../src/resources/addresses/rules/public-key.js';

describe('the databases that come with the service', () => {
  let databases: readonly BookDatabase[];
  beforeAll(async () => {
    databases = await openBundled();
  });
  const lookUp = (ip: string) => {
    const key = publicKeyOf(ip) ?? 0;
    return Object.assign({}, ...databases.map(({ find }) => find(ip, key)));
  };

  test.each([
    ['8.8.8.8', 'US', 15169],
    ['5.9.0.1', 'DE', 24940],
    ['80.187.100.1', 'DE', 3320],
    ['200.160.2.3', 'BR', 22548],
    ['2a01:4f8::1', 'DE', 24940],
    ['2001:4860:4860::8888', 'US', 15169],
    ['2a02:3030::1', 'DE', 6805],
  ])('know country and network of %s', (ip, country, asn) => {
    expect(lookUp(ip)).toMatchObject({ country, asn });
  });

  test('have a licence, a date and a credit', () => {
    for (const { source } of databases) {
      expect(source).toMatchObject({ licence: 'CC BY 4.0', credit: { url: expect.stringMatching(/^https:/) } });
      expect(source.date.getUTCFullYear()).toBeGreaterThan(2025);
      expect(source.name).toMatch(/ \d{4}-\d{2}-\d{2}$/);
    }
  });
});

describe('networks', () => {
  const v4 = '16777216,16777471,13335,"Cloudflare, Inc."\n16778240,16779263,38803,"The ""G"" Ltd"\n';
  const v6 = '42540528726795050063891204319802818560,42540528727329395276160870415022948351,2500,WIDE Project\n';

  test('are read from both files', () => {
    const { find } = parseNetworks(Buffer.from(v4), Buffer.from(v6));
    const of = (ip: string) => find(publicKeyOf(ip) ?? 0);
    expect(of('1.0.0.255')).toEqual({ asn: 13335, organisation: 'Cloudflare, Inc.' });
    expect(of('1.0.1.0')).toBeUndefined();
    expect(of('1.0.4.1')).toEqual({ asn: 38803, organisation: 'The "G" Ltd' });
    expect(of('2001:200::1')).toEqual({ asn: 2500, organisation: 'WIDE Project' });
    expect(of('2001:300::1')).toBeUndefined();
  });

  test('are refused if a line is damaged', () => {
    expect(() => parseNetworks(Buffer.from(`${v4}16779264,1677`), Buffer.from(v6))).toThrow('line 3 is not a range');
  });
});

test('the tables of kinds name the organisations of their networks', () => {
  const path = createRequire(import.meta.url).resolve('@ip-location-db/asn/asn-ipv4-num.csv');
  const organisations = new Map<string, string>();
  for (const [, asn = '', name = ''] of readFileSync(path, 'utf8').matchAll(/^\d+,\d+,(\d+),(.*)$/gm)) {
    organisations.set(asn, name.toLowerCase());
  }
  const all = Object.entries({ ...hostingNetworks, ...mobileNetworks });
  expect(all.filter(([asn, name]) => !organisations.get(asn)?.includes(name.toLowerCase()))).toEqual([]);
});

test('no network is in both tables of kinds', () => {
  expect(Object.keys(hostingNetworks).filter((asn) => Object.hasOwn(mobileNetworks, asn))).toEqual([]);
});
