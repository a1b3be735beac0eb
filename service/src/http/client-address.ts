import { isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import { type Address, isListed, readAddress } from '../resources/addresses/addresses.js';
import { noteForwarder } from '../resources/addresses/forwarders.js';
import type { Service } from '../resources/service.js';
import type { HttpConfig } from './environment.js';

/** Maximum number of `X-Forwarded-For` entries to read. No real request passes through more proxies. */
const maxChainLength = 20;

/**
 * Returns the client's address: the peer's or, if the peer is a trusted proxy, the one in `X-Forwarded-For`. Each proxy
 * appends the address of its peer, so the list is read from the right up to the first address that is not a trusted
 * proxy. Anything left of it can be forged.
 *
 * @param trustedProxies Addresses and ranges (CIDR).
 */
export function clientAddress(
  connection: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: readonly string[],
): Address | undefined {
  let address = read(connection);
  const chain = (forwardedFor ?? '').split(',').slice(-maxChainLength);
  while (address !== undefined && isListed(address.ip, trustedProxies)) {
    const next = read(chain.pop());
    if (next === undefined) break;
    address = next;
  }
  return address;
}

/**
 * Returns the client's address for a request. Records peers that send forwarding headers but are not trusted proxies.
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

/** Parses an entry. Some proxies include the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function read(entry: string | undefined): Address | undefined {
  const text = entry?.trim() ?? '';
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  // The zone of a link-local address has no meaning outside its host.
  const [address = ''] = bare.split('%');
  return isIP(address) ? readAddress(address) : undefined;
}
