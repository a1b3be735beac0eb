import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { WebhookFailure } from '../../ground/vocabulary.js';
import type { Attempted } from '../../resources/events/rules/attempted.js';
import { ReceiverRefused, type WebhookClient, type WebhookRequest } from '../../resources/events/webhook-client.js';
import { mayReceive, type PrivateReceivers } from './rules/receiver-addresses.js';

/** Resolves a host name to all its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** URL with its resolved addresses, which are used to connect. Resolving again could return other addresses. */
export interface Receiver {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
}

const MAX_URL_LENGTH = 2048;

const resolveBySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Parses a receiver's URL and resolves its addresses.
 *
 * @throws ReceiverRefused if the URL or any address is not allowed, or no address is found.
 */
async function findReceiver(text: string, allowed: PrivateReceivers, resolve: Resolve): Promise<Receiver> {
  const url = readUrl(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await resolveName(host, resolve);
  if (addresses.every(({ address }) => mayReceive(address, url.protocol, allowed))) return { url, addresses };
  throw new ReceiverRefused('address', refusalOf(url));
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) && text.length <= MAX_URL_LENGTH ? new URL(text) : undefined;
  if (!url || !['https:', 'http:'].includes(url.protocol)) {
    throw new ReceiverRefused('address', 'The URL of a webhook endpoint must begin with https://.');
  }
  if (url.username || url.password || url.hash) {
    throw new ReceiverRefused(
      'address',
      'The URL of a webhook endpoint must not contain a user name, password or fragment.',
    );
  }
  return url;
}

async function resolveName(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const found = await resolve(host).catch(() => []);
  if (found.length > 0) return found;
  throw new ReceiverRefused('dns', `No address was found for ${host}.`);
}

function refusalOf({ protocol, hostname }: URL): string {
  if (protocol === 'http:') return 'Webhooks require https://, unless ALLOW_PRIVATE_WEBHOOKS allows the address.';
  return `${hostname} has an address that is not public. To allow it, set ALLOW_PRIVATE_WEBHOOKS.`;
}

export interface WebhookClientOptions {
  readonly allowPrivate: PrivateReceivers;
  /** Time limit of an attempt, including name resolution, in milliseconds. Default: 15,000. */
  readonly timeoutMs?: number;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
}

const TIMEOUT_MS = 15_000;

/** Maximum number of bytes read from a response body, which is discarded. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Creates a client that connects only to allowed addresses and does not follow redirects. */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { allowPrivate, timeoutMs = TIMEOUT_MS, resolve = resolveBySystem } = options;
  const find = (url: string) => findReceiver(url, allowPrivate, resolve);
  return {
    check: async (url) => void (await find(url)),
    async post(request) {
      const started = performance.now();
      const signal = AbortSignal.timeout(timeoutMs);
      const attempted = await attempt(request, find, signal).catch((error) => ({ failure: failureOf(error, signal) }));
      return { ...attempted, durationMs: Math.round(performance.now() - started) };
    },
  };
}

async function attempt(
  request: WebhookRequest,
  find: (url: string) => Promise<Receiver>,
  signal: AbortSignal,
): Promise<Attempted> {
  const receiver = await orAborted(find(request.url), signal);
  const response = await send(receiver, request, signal);
  const status = response.statusCode ?? 0;
  await drain(response);
  if (status >= 200 && status < 300) return { status };
  const retryAfter = response.headers['retry-after'];
  const failure = status >= 300 && status < 400 ? 'redirect' : 'status';
  return { status, failure, ...(retryAfter !== undefined && { retryAfter }) };
}

/** Resolves when the response headers have arrived. */
function send({ url, addresses }: Receiver, { headers, body }: WebhookRequest, signal: AbortSignal) {
  const lookup: LookupFunction = (_host, { all }, done) => {
    const [first] = addresses;
    if (all || !first) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const sent: ClientRequest = open(url, {
      method: 'POST',
      // Connections are not reused: a kept-alive one could go to an address that the name no longer resolves to.
      agent: false,
      lookup,
      signal,
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'User-Agent': 'Whorl-Webhooks',
      },
    });
    sent.on('response', resolve).on('error', reject).end(body);
  });
}

/** Discards the response body, up to a limit. The outcome depends only on the status. */
async function drain(response: IncomingMessage): Promise<void> {
  let left = MAX_RESPONSE_BYTES;
  try {
    for await (const chunk of response) {
      left -= Buffer.byteLength(chunk);
      // Leaving the loop closes the connection.
      if (left <= 0) return;
    }
  } catch {
    // The connection broke, or the time limit was exceeded.
  }
}

function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return Promise.race([
    promise,
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ]);
}

function failureOf(error: unknown, signal: AbortSignal): WebhookFailure {
  if (error instanceof ReceiverRefused) return error.failure;
  if (signal.aborted) return 'timeout';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /TLS|SSL|CERT|SIGNATURE|EPROTO/.test(code) ? 'tls' : 'connection';
}
