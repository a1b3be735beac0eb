import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Attempted, WebhookFailure } from './rules/next-step.js';
import { mayReceive, type PrivateReceivers } from './rules/receiver-addresses.js';

export { createWebhookSecret, webhookHeaders } from './sign.js';
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

const resolveBySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Reads a receiver's URL, and finds its addresses.
 *
 * @throws ReceiverRefused where the URL or any of the addresses is not allowed, or there are none.
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

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The way out for webhooks. */
export interface WebhookClient {
  /** @throws ReceiverRefused where no webhook may go, with a sentence that says why. */
  check(url: string): Promise<void>;
  /** One attempt. Never rejects: what goes wrong is an answer too. */
  post(request: WebhookRequest): Promise<Attempted & { readonly durationMs: number }>;
}

export interface WebhookClientOptions {
  readonly allowPrivate: PrivateReceivers;
  /** How long one attempt may take in all, with the look-up of the name. Default: 15,000. */
  readonly timeoutMs?: number;
  /** Default: as the system resolves names. */
  readonly resolve?: Resolve;
}

const TIMEOUT_MS = 15_000;

/** Of the answer's body, so much is read before the connection is closed; nothing of it is kept. */
const READ_BYTES = 64 * 1024;

/** A client that connects to addresses that are allowed, and follows no redirects. */
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

/** Resolves when the answer begins. */
function send({ url, addresses }: Receiver, { headers, body }: WebhookRequest, signal: AbortSignal) {
  const lookup: LookupFunction = (_host, { all }, answer) => {
    const [first] = addresses;
    if (all || !first) answer(null, [...addresses]);
    else answer(null, first.address, first.family);
  };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const sent: ClientRequest = open(url, {
      method: 'POST',
      // A connection of its own: one that is kept could lead to where the name no longer leads.
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

/** Reads up to a limit. Whether the receiver took the event, its status has said already. */
async function drain(response: IncomingMessage): Promise<void> {
  let left = READ_BYTES;
  try {
    for await (const chunk of response) {
      left -= Buffer.byteLength(chunk);
      // Leaving the loop closes the connection.
      if (left <= 0) return;
    }
  } catch {
    // It broke off, or took too long.
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
