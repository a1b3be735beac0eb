import ipaddr from 'ipaddr.js';

/** Address as a number, for comparison: IPv4 as `number`, IPv6 as `bigint`. */
export type AddressKey = number | bigint;

/**
 * Returns the key of a public address. Returns undefined for private, reserved and test addresses, and for IPv6 addresses
 * that only wrap an IPv4 address (6to4, Teredo, NAT64): nothing is known about them.
 */
export function publicKeyOf(ip: string): AddressKey | undefined {
  if (!ipaddr.isValid(ip)) return undefined;
  const address = ipaddr.process(ip);
  return address.range() === 'unicast' ? keyOf(address) : undefined;
}

/** Returns the key of any address. */
export function keyOf(address: ipaddr.IPv4 | ipaddr.IPv6): AddressKey {
  if (address instanceof ipaddr.IPv4) return address.octets.reduce((key, octet) => key * 256 + octet, 0);
  return address.parts.reduce((key, part) => (key << 16n) | BigInt(part), 0n);
}
