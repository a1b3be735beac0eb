import { isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { isListed } from '../addresses/address-list.js';
import { type Address, readAddress } from '../addresses/addresses.js';
import type { Service } from '../service.js';
import type { HttpConfig } from './environment.js';
import { noteForwarder } from './forwarders.js';

/** Entries of the header that are looked at: a request through more proxies than these is none. */
const longestChain = 20;

/**
 * The client's address: the connection's, or, where that is a trusted proxy's, what it says in `X-Forwarded-For`. Each
 * proxy adds the address that it was called from at the right, so the list is read from the right up to the first
 * address that is not a trusted proxy's; what stands left of it anyone can have written.
 *
 * @param trustedProxies Addresses and ranges (CIDR).
 */
export function clientAddress(
  connection: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: readonly string[],
): Address | undefined {
  let address = read(connection);
  const chain = (forwardedFor ?? '').split(',').slice(-longestChain);
  while (address !== undefined && isListed(address.ip, trustedProxies)) {
    const next = read(chain.pop());
    if (next === undefined) break;
    address = next;
  }
  return address;
}

/**
 * Returns the address of the client that sent a request. A peer that forwards for others and is no trusted proxy is noted.
 */
export function addressOfRequest(
  c: Context,
  { service, config: { trustedProxies } }: { readonly service: Service; readonly config: HttpConfig },
): Address | undefined {
  const { address: connection } = getConnInfo(c).remote;
  const forwardedFor = c.req.header('x-forwarded-for');
  const peer = forwardedFor !== undefined || c.req.header('forwarded') !== undefined ? read(connection) : undefined;
  if (peer && !isListed(peer.ip, trustedProxies)) noteForwarder(service, peer.network);
  return clientAddress(connection, forwardedFor, trustedProxies);
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function read(entry: string | undefined): Address | undefined {
  const text = entry?.trim() ?? '';
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  // Of a link-local address, the zone tells nothing to others.
  const [address = ''] = bare.split('%');
  return isIP(address) ? readAddress(address) : undefined;
}
