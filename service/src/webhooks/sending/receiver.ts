import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { mayReceive, type PrivateReceivers } from '../rules/receiver-addresses.js';

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Why no webhook goes to an address, in a sentence for whoever registered it. */
export class ReceiverRefused extends Error {
  readonly failure: 'address' | 'dns';

  constructor(failure: 'address' | 'dns', message: string) {
    super(message);
    this.name = 'ReceiverRefused';
    this.failure = failure;
  }
}

/** Where to connect to, and nowhere else: a name could lead elsewhere when it is asked for again. */
export interface Receiver {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

const LONGEST_URL = 2048;

export const resolveBySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Reads a receiver's URL, and finds its addresses.
 *
 * @throws ReceiverRefused where the URL or any of the addresses is not allowed, or there are none.
 */
export async function findReceiver(text: string, allowed: PrivateReceivers, resolve: Resolve): Promise<Receiver> {
  const url = readUrl(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await resolveName(host, resolve);
  if (addresses.every(({ address }) => mayReceive(address, url.protocol, allowed))) return { url, addresses };
  throw new ReceiverRefused('address', refusalOf(url));
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) && text.length <= LONGEST_URL ? new URL(text) : undefined;
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw new ReceiverRefused('address', 'A webhook endpoint is an address that begins with https://.');
  }
  if (url.username || url.password || url.hash) {
    throw new ReceiverRefused('address', 'The address of a webhook endpoint holds no name, password or fragment.');
  }
  return url;
}

async function resolveName(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const found = await resolve(host).catch(() => []);
  if (found.length > 0) return found;
  throw new ReceiverRefused('dns', `No address was found for ${host}.`);
}

function refusalOf({ protocol, hostname }: URL): string {
  if (protocol === 'http:') return 'Webhooks go to https:// alone, unless ALLOW_PRIVATE_WEBHOOKS says otherwise.';
  return `${hostname} has an address that is not public: ALLOW_PRIVATE_WEBHOOKS can allow it.`;
}
