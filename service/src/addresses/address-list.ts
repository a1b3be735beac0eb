import ipaddr from 'ipaddr.js';

type Range = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * Whether an address is on a list of addresses and ranges (CIDR, RFC 4632 and 4291). An IPv4 address that is written as
 * an IPv6 one (`::ffff:192.0.2.1`) is the same address, on either side. Entries that are neither match nothing.
 */
export function isListed(ip: string, entries: readonly string[]): boolean {
  // Most lists are empty, and each request is looked for on three.
  const address = entries.length > 0 ? rangeOf(ip)?.[0] : undefined;
  if (!address) return false;
  return entries.some((entry) => {
    const range = rangeOf(entry);
    return range !== undefined && range[0].kind() === address.kind() && address.match(range);
  });
}

/** Whether an entry of such a list is an address or a range. */
export function isAddressOrRange(entry: string): boolean {
  return rangeOf(entry) !== undefined;
}

function rangeOf(text: string): Range | undefined {
  const entry = text.trim();
  if (ipaddr.IPv4.isValidFourPartDecimal(entry)) return [ipaddr.IPv4.parse(entry), 32];
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(entry)) return ipaddr.IPv4.parseCIDR(entry);
  if (ipaddr.IPv6.isValid(entry)) return unmapped(ipaddr.IPv6.parse(entry), 128);
  if (ipaddr.IPv6.isValidCIDR(entry)) return unmapped(...ipaddr.IPv6.parseCIDR(entry));
  return undefined;
}

function unmapped(address: ipaddr.IPv6, bits: number): Range {
  return address.isIPv4MappedAddress() && bits >= 96 ? [address.toIPv4Address(), bits - 96] : [address, bits];
}
