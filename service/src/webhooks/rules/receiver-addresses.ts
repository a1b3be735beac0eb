import ipaddr from 'ipaddr.js';
import { isListed } from '../../addresses/address-list.js';

/** Which addresses may receive webhooks beside public ones: all (`true`), none (`false`), or those in ranges (CIDR). */
export type PrivateReceivers = boolean | readonly string[];

/** What IANA gives out to networks that anyone can reach (RFC 4291, section 2.4; 2000::/3). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one of the public internet: neither private, shared (RFC 6598), loopback, link-local, multicast,
 * reserved nor for documentation (RFC 6890), and none that stands for another address: NAT64 (RFC 6052, RFC 8215), 6to4
 * (RFC 3056), Teredo (RFC 4380), IPv4-compatible. An IPv4-mapped one counts as the IPv4 address in it. What is no
 * address is not public.
 */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text);
  if (address?.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

/** Whether a webhook may go to an address, over TLS or (`http:`) without. */
export function mayReceive(text: string, protocol: string, allowed: PrivateReceivers): boolean {
  const isAllowed = typeof allowed === 'boolean' ? allowed : !hasZone(text) && isListed(text, allowed);
  return isAllowed || (protocol === 'https:' && isPublicAddress(text));
}

function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) && !hasZone(text) ? ipaddr.process(text) : undefined;
}

/** Whether an address has a zone (RFC 4007), which names a link of this machine: then it is none of the internet. */
function hasZone(text: string): boolean {
  return text.includes('%');
}
