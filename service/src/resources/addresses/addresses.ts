import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { rangeOf } from '../../ground/ranges.js';

/** Address with the network that trust in it covers. */
export interface Address {
  readonly ip: string;
  /** IPv4: the address itself. IPv6: its /64, because devices change their address within it (RFC 8981). */
  readonly network: string;
  /** Whether it may belong to an unconfigured proxy and be shared by all its visitors. If so, it is never trusted. */
  readonly isShared?: true;
}

/** Parses an IPv4 or IPv6 address. An IPv4-mapped address becomes an IPv4 address. */
export function readAddress(text: string): Address | undefined {
  // Fast path: dotted decimals without leading zeros are already normalised.
  if (isIPv4(text)) return { ip: text, network: text };
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  const ip = address.toString();
  if (address.kind() === 'ipv4') return { ip, network: ip };
  return { ip, network: `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toString()}/64` };
}

/**
 * Returns the network whose claims are counted together: IPv4 /24 or IPv6 /48. Anyone with one address in it can
 * usually obtain others.
 */
export function sourceNetwork(ip: string): string {
  if (isIPv4(ip)) return `${ip.slice(0, ip.lastIndexOf('.'))}.0/24`;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/48`).toString()}/48`;
}

/**
 * Returns whether an address is in a list of addresses and ranges (CIDR, RFC 4632 and 4291). IPv4-mapped addresses
 * (`::ffff:192.0.2.1`) are equal to their IPv4 addresses, on both sides. Invalid entries match nothing.
 */
export function isListed(ip: string, entries: readonly string[]): boolean {
  // Skips parsing, because most lists are empty.
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
