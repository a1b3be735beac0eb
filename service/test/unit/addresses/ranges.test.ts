import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddressList } from '../../../src/resources/addresses/rules/address-lists.js';
import { publicKeyOf } from '../../../src/resources/addresses/rules/public-key.js';
import { joined, rangeTable } from '../../../src/resources/addresses/rules/range-table.js';

describe('public addresses', () => {
  test.each([
    ['8.8.8.8', 0x08080808],
    ['::ffff:8.8.8.8', 0x08080808],
    ['2001:4860:4860::8888', 0x20014860486000000000000000008888n],
    ['2a02:2e0:1:2:3:4:5:6', 0x2a0202e0000100020003000400050006n],
    ['2003::1', 0x20030000000000000000000000000001n],
    ['2620:fe::fe', 0x262000fe0000000000000000000000fen],
  ])('%s is public', (ip, key) => {
    expect(publicKeyOf(ip)).toBe(key);
  });

  test.each([
    ...['10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', '127.0.0.1', '169.254.1.1', '0.0.0.0', '224.0.0.1'],
    ...['192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::1', '::', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '2001:db8::1', '::ffff:10.0.0.1', '100::1'],
    ...[
      '2002:808:808::1',
      '2001::1',
      '2620:4f:8000::1',
      '3fff::1',
      '2001:2::1',
      '2001:20::1',
      '64:ff9b::808:808',
      'no address',
      '',
    ],
  ])('%s is not', (ip) => {
    expect(publicKeyOf(ip)).toBeUndefined();
  });
});

describe('a table of ranges', () => {
  const small = fc.record({ a: fc.integer({ min: 0, max: 300 }), b: fc.integer({ min: 0, max: 300 }) });

  test('finds exactly what its ranges contain, in both families', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(small, { maxLength: 20 }), fc.integer({ min: 0, max: 300 }), async (pairs, key) => {
        const spans = pairs.map(({ a, b }) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
        // Across the border of the two halves of an IPv6 address.
        const shift = (value: number) => (1n << 64n) - 150n + BigInt(value);
        const wide = spans.map(({ from, to }) => ({ from: shift(from), to: shift(to) }));
        const table = rangeTable({ v4: await joined(spans), v6: await joined(wide) });
        const isInside = spans.some(({ from, to }) => from <= key && key <= to);
        expect(table.find(key) !== undefined).toBe(isInside);
        expect(table.find(shift(key)) !== undefined).toBe(isInside);
      }),
    );
  });

  test('contains the first and the last address there is', () => {
    const last = (1n << 128n) - 1n;
    const v4 = { from: [0, 2 ** 32 - 1], to: [0, 2 ** 32 - 1] };
    const table = rangeTable({ v4, v6: { from: [last], to: [last] } });
    expect([0, 1, 2 ** 32 - 1, last, last - 1n].map((key) => table.find(key))).toEqual([0, undefined, 1, 2, undefined]);
  });
});

describe('a list of addresses', () => {
  const lines = [
    '# exit nodes',
    '',
    '9.9.9.9',
    ' 8.8.0.0/16 ; resolvers',
    '2001:4860::/32 # another family',
    '2a00:1450::1',
    '17.0.0.0/8,US,US-CA,Cupertino,',
    '::ffff:4.4.4.4\r',
  ].join('\n');

  test.each(['9.9.9.9', '8.8.8.8', '2001:4860:4860::8888', '2a00:1450::1', '17.1.1.1', '4.4.4.4'])(
    'contains %s',
    async (ip) => {
      const list = await parseAddressList(lines);
      expect(list.find(publicKeyOf(ip) ?? 0)).toBeDefined();
    },
  );

  test.each(['9.9.9.10', '8.9.0.0', '2001:4861::', '2a00:1450::2', '18.0.0.0'])('does not contain %s', async (ip) => {
    const list = await parseAddressList(lines);
    expect(list.find(publicKeyOf(ip) ?? 0)).toBeUndefined();
  });

  test.each([
    ['<html>', 'line 1 is not an address or range'],
    ['1.1.1.1\n1.1.1.0/33', 'line 2 is not an address or range'],
    ['1.1.1', 'line 1 is not an address or range'],
    ['# nothing\n\n', 'it contains no addresses'],
    ['', 'it contains no addresses'],
  ])('is refused if it is %j', async (text, reason) => {
    await expect(parseAddressList(text)).rejects.toThrow(reason);
  });

  test('lets other work run while it is read, at least every 4,000 ranges', async () => {
    const ranges = Array.from({ length: 20_000 }, (_, index) => {
      const scrambled = (index * 40_503) % 20_000;
      return index % 2
        ? `2a00:${scrambled.toString(16).padStart(5, '1')}::/48`
        : `17.${(scrambled >> 8) & 255}.${scrambled & 255}.0/24`;
    }).map((range) => range.replace(/:(\w)(\w{4})::/, ':$2:$1::'));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await parseAddressList(ranges.join('\n'));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});
