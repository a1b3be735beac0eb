import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Address as a number, for comparison: IPv4 as `number`, IPv6 as `bigint`. */
export type AddressKey = number | bigint;

/**
 * Returns the key of a public address. Returns undefined for private, reserved and test addresses, and for IPv6 addresses
 * that only wrap an IPv4 address (6to4, Teredo, NAT64): nothing is known about them.
 */
export function publicKeyOf(ip: string): AddressKey | undefined {
  if (isIP(ip) === 0) return undefined;
  const address = ipaddr.process(ip);
  return isOrdinary(address) || address.range() === 'unicast' ? keyOf(address) : undefined;
}

/**
 * Returns whether an IPv6 address is in a part of the global unicast space without special ranges (IANA's registry of
 * special-purpose addresses). Nearly all are, and comparing them with each special range takes longer than all else.
 */
function isOrdinary(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [first = 0] = address instanceof ipaddr.IPv6 ? address.parts : [];
  return first >= 0x2003 && first < 0x3000 && first !== 0x2620;
}

/** Returns the key of any address. */
export function keyOf(address: ipaddr.IPv4 | ipaddr.IPv6): AddressKey {
  if (address instanceof ipaddr.IPv4) return address.octets.reduce((key, octet) => key * 256 + octet, 0);
  // 48, 48 and 32 bits: fewer large numbers than with one for each part.
  const bits = (from: number, to: number) =>
    BigInt(address.parts.slice(from, to).reduce((sum, part) => sum * 0x1_0000 + part, 0));
  return (bits(0, 3) << 80n) | (bits(3, 6) << 32n) | bits(6, 8);
}
