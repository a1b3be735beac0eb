import ipaddr from 'ipaddr.js';

type Range = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * Returns whether an address is in a list of addresses and ranges (CIDR, RFC 4632 and 4291). IPv4-mapped addresses
 * (`::ffff:192.0.2.1`) are equal to their IPv4 addresses, on both sides. Invalid entries match nothing.
 */
export function isListed(ip: string, entries: readonly string[]): boolean {
  // Skips parsing, because most lists are empty and each request is checked against three.
  const address = entries.length > 0 ? rangeOf(ip)?.[0] : undefined;
  if (!address) return false;
  return entries.some((entry) => {
    const range = rangeOf(entry);
    return range !== undefined && range[0].kind() === address.kind() && address.match(range);
  });
}

/** Returns whether an entry is a valid address or range. */
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
