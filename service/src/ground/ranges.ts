import ipaddr from 'ipaddr.js';

/** Address with the number of bits that count. */
export type Range = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * Parses an address or a range (CIDR, RFC 4632 and 4291). IPv4-mapped addresses (`::ffff:192.0.2.1`) become IPv4
 * addresses. Undefined if the text is neither.
 */
export function rangeOf(text: string): Range | undefined {
  const entry = text.trim();
  if (ipaddr.IPv4.isValidFourPartDecimal(entry)) return [ipaddr.IPv4.parse(entry), 32];
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(entry)) return ipaddr.IPv4.parseCIDR(entry);
  if (ipaddr.IPv6.isValid(entry)) return unmapped(ipaddr.IPv6.parse(entry), 128);
  if (ipaddr.IPv6.isValidCIDR(entry)) return unmapped(...ipaddr.IPv6.parseCIDR(entry));
  return undefined;
}

/**
 * Returns the normal form of an address or range: `198.51.100.0/24` for `198.51.100.7/24`, and an address without its
 * number of bits. PostgreSQL reads it as `inet`.
 */
export function normaliseRange(text: string): string | undefined {
  const range = rangeOf(text);
  if (!range) return undefined;
  const [address, bits] = range;
  // A zone (`fe80::1%eth0`) means nothing to other machines.
  if (address.kind() === 'ipv6' && text.includes('%')) return undefined;
  const all = address.kind() === 'ipv4' ? 32 : 128;
  if (bits === all) return address.toString();
  const Kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${Kind.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}

function unmapped(address: ipaddr.IPv6, bits: number): Range {
  return address.isIPv4MappedAddress() && bits >= 96 ? [address.toIPv4Address(), bits - 96] : [address, bits];
}
