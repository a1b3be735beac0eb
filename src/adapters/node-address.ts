import { BlockList, isIPv6 } from 'node:net';
import { forwarders, parseAddress } from '../server/forwarded-for.js';
import type { RequestHeaders } from '../server/index.js';

/** The option of the adapters that know the connection. */
export interface TrustedProxies {
  /**
   * The proxies of your own before the application: how many, or their addresses and ranges, such as `['10.0.0.0/8']`.
   * Only these are believed in `X-Forwarded-For`. If a list contains all addresses there and the connection's, the first
   * is the visitor's. Default: 0, so that the visitor's address is the connection's.
   */
  readonly trustedProxies?: number | readonly string[] | undefined;
}

/** What the address is read from. */
interface NodeRequest {
  readonly headers: RequestHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Returns a function that reads the visitor's address, or undefined if the connection or a proxy does not give it.
 *
 * @throws TypeError if `trustedProxies` is neither a whole number nor a list of addresses and ranges.
 */
export function createAddressReader(trustedProxies: number | readonly string[] = 0) {
  const find = typeof trustedProxies === 'number' ? countFrom(trustedProxies) : skip(trustedProxies);
  return ({ headers, socket }: NodeRequest): string | undefined =>
    find([...forwarders(headers), parseAddress(socket.remoteAddress)]);
}

type Chain = readonly (string | undefined)[];

function countFrom(proxies: number): (chain: Chain) => string | undefined {
  if (!Number.isInteger(proxies) || proxies < 0) {
    throw new TypeError('trustedProxies must be a whole number, 0 or more, or a list of addresses and ranges.');
  }
  return (chain) => chain.at(-1 - proxies);
}

function skip(proxies: readonly string[]): (chain: Chain) => string | undefined {
  const trusted = new BlockList();
  for (const proxy of proxies) addRange(trusted, proxy);
  // The first one is the visitor's also if it is in a range, as of somebody in the same network.
  const isPossible = (address: string | undefined, at: number) =>
    at === 0 || !address || !trusted.check(address, familyOf(address));
  return (chain) => chain.filter(isPossible).at(-1);
}

function addRange(list: BlockList, proxy: string): void {
  const [address = '', bits] = String(proxy).split('/');
  try {
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  } catch {
    throw new TypeError(`trustedProxies contains "${proxy}", which is not an address or range.`);
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
