import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type AddressKey, keyOf } from './public-key.js';
import { joined, type RangeTable, rangeTable, type Span } from './range-table.js';
import { createYield } from './yielding.js';

/**
 * Parses a list of addresses and ranges (CIDR), one a line. `#` and `;` begin comments. What follows a comma is ignored,
 * so that CSV files whose first column is the range can be used unchanged. Lets other requests run in between, because a
 * list of 300,000 ranges takes most of a second.
 *
 * @throws Error that names the first invalid line, or says that the list is empty: an empty file is more likely to be a
 *   failed download than a list without entries.
 */
export async function parseAddressList(text: string): Promise<RangeTable> {
  const pause = createYield();
  const v4: Span<number>[] = [];
  const v6: Span<bigint>[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (index % 64 === 0) await pause();
    const entry = (/^[^#;,]*/.exec(line)?.[0] ?? '').trim();
    if (entry === '') continue;
    const range = parseRange(entry);
    if (!range) throw new Error(`line ${index + 1} is not an address or range`);
    const { from, to } = range;
    if (typeof from === 'number' && typeof to === 'number') v4.push({ from, to });
    if (typeof from === 'bigint' && typeof to === 'bigint') v6.push({ from, to });
  }
  if (v4.length + v6.length === 0) throw new Error('it contains no addresses');
  return rangeTable({ v4: await joined(v4, pause), v6: await joined(v6, pause) });
}

/** Returns the first and the last address of a range. */
function parseRange(entry: string): Span<AddressKey> | undefined {
  const [text = '', bits, ...rest] = entry.split('/');
  if (isIP(text) === 0 || text.includes('%') || rest.length > 0) return undefined;
  // Fast path: parsing takes most of the time.
  if (isIPv4(text))
    return rangeOf4(
      text.split('.').reduce((key, part) => key * 256 + Number(part), 0),
      bits,
    );
  const key = keyOf(bits === undefined ? ipaddr.process(text) : ipaddr.IPv6.parse(text));
  return typeof key === 'number' ? { from: key, to: key } : rangeOf6(key, bits);
}

function rangeOf4(key: number, bits = '32'): Span<number> | undefined {
  if (!isLength(bits, 32)) return undefined;
  const size = 2 ** (32 - Number(bits));
  const from = key - (key % size);
  return { from, to: from + size - 1 };
}

function rangeOf6(key: bigint, bits = '128'): Span<bigint> | undefined {
  if (!isLength(bits, 128)) return undefined;
  const host = (1n << BigInt(128 - Number(bits))) - 1n;
  const to = key | host;
  return { from: to ^ host, to };
}

function isLength(bits: string, longest: number): boolean {
  return /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
}
