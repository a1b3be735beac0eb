import type { Signal } from '../signal.js';
import { WhorlArgumentError } from './errors.js';
import type { Fetch } from './platform.js';

/**
 * What `evaluate` does when the service is out of reach: throws, or answers with this verdict and the reason
 * `unavailable`. `allow` fails open, `deny` fails closed.
 */
export type WhenUnavailable = 'throw' | 'allow' | 'deny';

/** Options of the client. */
export interface WhorlOptions<Default extends WhenUnavailable = 'throw'> {
  /** The project's secret key, `sk_live_…` or `sk_test_…`. It must never reach a page. */
  readonly apiSecret: string;
  /** Where the service is, such as `https://whorl.example.com`. A path in it is kept. */
  readonly baseUrl: string;
  /** How long a call may take in all, its retries and the pauses before them included, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that failed for the moment is tried again. Default 2. */
  readonly retries?: number | undefined;
  /** What `evaluate` does when the service is out of reach. Default `'throw'`. */
  readonly whenUnavailable?: Default | undefined;
  /** Used instead of the global `fetch`, for instance to go through a proxy. */
  readonly fetch?: Fetch | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, which then throws `aborted`. */
  readonly signal?: Signal | undefined;
  /** As in the client's options, for this call. A list's is for each page. */
  readonly timeoutMs?: number | undefined;
}

/** Options of every call that changes something. */
export interface WriteOptions extends CallOptions {
  /**
   * Printable ASCII, up to 255 characters. Calls with the same one and the same content are carried out once within 24
   * hours. Default: a random one for each call, which its retries share.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of `evaluate`. */
export interface EvaluateOptions<Chosen extends WhenUnavailable = WhenUnavailable> extends WriteOptions {
  /** As in the client's options, for this call. */
  readonly whenUnavailable?: Chosen | undefined;
}

/**
 * The base address without a slash at its end.
 *
 * @throws {WhorlArgumentError} where it is no http or https address, or has credentials, a query or a fragment.
 */
export function checkBaseUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || /[?#]/.test(baseUrl)) {
    throw new WhorlArgumentError('baseUrl must be an http or https address without credentials, query and fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the secret key. Anything else would end as a header that cannot be sent, or as a refusal of every call.
 *
 * @throws {WhorlArgumentError} whose message does not hold the key.
 */
export function checkApiSecret(apiSecret: string): string {
  if (!isHeaderText(apiSecret)) {
    throw new WhorlArgumentError(
      'apiSecret must be the secret key of the project (sk_live_… or sk_test_…), without spaces or line breaks.',
    );
  }
  if (apiSecret.startsWith('pk_')) {
    throw new WhorlArgumentError(
      'apiSecret must be the secret key of the project (sk_live_… or sk_test_…), but is the publishable key, which is for pages.',
    );
  }
  return apiSecret;
}

export function checkIdempotencyKey(key: string): string {
  if (!isHeaderText(key) || key.length > 255) {
    throw new WhorlArgumentError('idempotencyKey must be 1 to 255 characters of printable ASCII, without spaces.');
  }
  return key;
}

export function checkTimeoutMs(timeoutMs: number): number {
  // Timers take no more.
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) {
    throw new WhorlArgumentError('timeoutMs must be a number of milliseconds above 0.');
  }
  return timeoutMs;
}

export function checkRetries(retries: number): number {
  if (!Number.isInteger(retries) || retries < 0) {
    throw new WhorlArgumentError('retries must be a whole number from 0.');
  }
  return retries;
}

export function checkWhenUnavailable<Chosen extends WhenUnavailable>(chosen: Chosen): Chosen {
  const known: readonly WhenUnavailable[] = ['throw', 'allow', 'deny'];
  if (!known.includes(chosen)) throw new WhorlArgumentError("whenUnavailable must be 'throw', 'allow' or 'deny'.");
  return chosen;
}

function isHeaderText(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21-\x7e]+$/.test(text);
}
