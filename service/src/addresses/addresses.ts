import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address, and the network that trust in it covers. */
export interface Address {
  readonly ip: string;
  /** IPv4: the address itself; IPv6: its /64, within which a device changes addresses by itself (RFC 8981). */
  readonly network: string;
  /** Whether it may be that of a proxy which was not named, and so everybody's: nothing is trusted by it. */
  readonly isShared?: true;
}

/** Reads an IPv4 or IPv6 address; an IPv4-mapped one counts as IPv4. */
export function readAddress(text: string): Address | undefined {
  // Dotted decimals without leading zeros are written in the one way already.
  if (isIPv4(text)) return { ip: text, network: text };
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  const ip = address.toString();
  if (address.kind() === 'ipv4') return { ip, network: ip };
  return { ip, network: `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString()}/64` };
}

/**
 * Returns the network that claims are counted by: IPv4 /24, IPv6 /48. Whoever has one address there can usually have
 * others.
 */
export function sourceNetwork(ip: string): string {
  if (isIPv4(ip)) return `${ip.slice(0, ip.lastIndexOf('.'))}.0/24`;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/48`).toString()}/48`;
}
