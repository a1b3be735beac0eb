import ipaddr from 'ipaddr.js';
import { isListed } from '../../../resources/addresses/addresses.js';

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

/** Returns whether a webhook may be sent to an address, given the protocol of its URL. */
export function mayReceive(text: string, protocol: string, allowed: PrivateReceivers): boolean {
  const isAllowed = typeof allowed === 'boolean' ? allowed : !hasZone(text) && isListed(text, allowed);
  return isAllowed || (protocol === 'https:' && isPublicAddress(text));
}

function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) && !hasZone(text) ? ipaddr.process(text) : undefined;
}

/** Returns whether an address has a zone (RFC 4007). Such an address belongs to a link of this machine: it is not public. */
function hasZone(text: string): boolean {
  return text.includes('%');
}
