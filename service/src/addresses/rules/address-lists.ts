import ipaddr from 'ipaddr.js';
import { keyOf } from './public-key.js';
import { joined, type RangeTable, rangeTable, type Span } from './range-table.js';

/**
 * Parses a list of addresses and ranges (CIDR), one a line. `#` and `;` begin comments. What follows a comma is ignored,
 * so that CSV files whose first column is the range can be used unchanged.
 *
 * @throws Error that names the first invalid line, or says that the list is empty: an empty file is more likely to be a
 *   failed download than a list without entries.
 */
export function parseAddressList(text: string): RangeTable {
  const v4: Span<number>[] = [];
  const v6: Span<bigint>[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const entry = (/^[^#;,]*/.exec(line)?.[0] ?? '').trim();
    if (entry === '') continue;
    const range = parseRange(entry);
    if (!range) throw new Error(`line ${index + 1} is not an address or range`);
    const [from, to] = range.map(keyOf);
    if (typeof from === 'number' && typeof to === 'number') v4.push({ from, to });
    if (typeof from === 'bigint' && typeof to === 'bigint') v6.push({ from, to });
  }
  if (v4.length + v6.length === 0) throw new Error('it contains no addresses');
  return rangeTable({ v4: joined(v4), v6: joined(v6) });
}

/** Returns the first and the last address of a range. */
function parseRange(entry: string): (ipaddr.IPv4 | ipaddr.IPv6)[] | undefined {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(entry)) {
    return [ipaddr.IPv4.networkAddressFromCIDR(entry), ipaddr.IPv4.broadcastAddressFromCIDR(entry)];
  }
  if (ipaddr.IPv6.isValidCIDR(entry)) {
    return [ipaddr.IPv6.networkAddressFromCIDR(entry), ipaddr.IPv6.broadcastAddressFromCIDR(entry)];
  }
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(entry) || ipaddr.IPv6.isValid(entry);
  const address = isAddress ? ipaddr.process(entry) : undefined;
  return address && [address, address];
}
