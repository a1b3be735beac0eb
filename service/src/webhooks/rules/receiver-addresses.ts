import ipaddr from 'ipaddr.js';

/** Private addresses that may receive webhooks: all (`true`), none (`false`), or those in ranges (CIDR). */
export type PrivateReceivers = boolean | readonly string[];

/** Global unicast addresses (RFC 4291, section 2.4; 2000::/3). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Returns whether an address is public: not private, shared (RFC 6598), loopback, link-local, multicast, reserved or
 * for documentation (RFC 6890), and not a form that embeds another address: NAT64 (RFC 6052, RFC 8215), 6to4 (RFC
 * 3056), Teredo (RFC 4380), IPv4-compatible. An IPv4-mapped address is judged as the IPv4 address in it. Returns false
 * for text that is not an address.
 */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text);
  if (address?.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

/** Returns whether an address is in one of the ranges. */
export function isInRanges(text: string, ranges: readonly string[]): boolean {
  const address = readAddress(text);
  if (!address) return false;
  return ranges.some((range) => {
    const parsed = ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`);
    return parsed[0].kind() === address.kind() && address.match(parsed);
  });
}

/** Returns whether a webhook may be sent to an address, given the protocol of its URL. */
export function mayReceive(text: string, protocol: string, allowed: PrivateReceivers): boolean {
  const isAllowed = typeof allowed === 'boolean' ? allowed : isInRanges(text, allowed);
  return isAllowed || (protocol === 'https:' && isPublicAddress(text));
}

function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // An address with a zone (RFC 4007) belongs to a link of this machine, so it is not public.
  return ipaddr.isValid(text) && !text.includes('%') ? ipaddr.process(text) : undefined;
}
