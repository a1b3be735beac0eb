import type { Signal } from '../signal.js';
import { WhorlArgumentError } from './errors.js';
import type { Fetch } from './platform.js';
import { parseHttpUrl } from './url.js';

/**
 * What `evaluate` does if the service is unavailable: throws, or returns this verdict with the reason `unavailable`.
 * `allow` fails open, `deny` fails closed.
 */
export type WhenUnavailable = 'throw' | 'allow' | 'deny';

/** Options of the client. */
export interface WhorlOptions<Default extends WhenUnavailable = 'throw'> {
  /**
   * The project's secret key, `sk_live_…` or `sk_test_…`. Never send it to a page. The type has undefined for variables
   * of the environment: a missing one is refused.
   */
  readonly apiSecret: string | undefined;
  /** The URL of the service, such as `https://whorl.example.com`. It may contain a path. Undefined is refused. */
  readonly baseUrl: string | undefined;
  /** The deadline of a call, in milliseconds, including retries and the pauses before them. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is retried after a temporary failure. Default 2. */
  readonly retries?: number | undefined;
  /** What `evaluate` does if the service is unavailable. Default `'throw'`. */
  readonly whenUnavailable?: Default | undefined;
  /** Replaces the global `fetch`, for example to use a proxy. */
  readonly fetch?: Fetch | undefined;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then throws `aborted`. */
  readonly signal?: Signal | undefined;
  /** Overrides the client's option for this call. For a list, it applies to each page. */
  readonly timeoutMs?: number | undefined;
}

/** Options of every call that changes data. */
export interface WriteOptions extends CallOptions {
  /**
   * Printable ASCII, up to 255 characters. Calls with the same key and content are carried out once within 24 hours.
   * Default: a random key for each call, which its retries share.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of `evaluate`. */
export interface EvaluateOptions<Chosen extends WhenUnavailable = WhenUnavailable> extends WriteOptions {
  /** Overrides the client's option for this call. */
  readonly whenUnavailable?: Chosen | undefined;
}

/**
 * Returns the base URL without trailing slashes.
 *
 * @throws {WhorlArgumentError} if it is not an http or https URL, or has credentials, a query or a fragment.
 */
export function checkBaseUrl(baseUrl = ''): string {
  const url = parseHttpUrl(baseUrl);
  if (!url || url.username || url.password || /[?#]/.test(baseUrl)) {
    throw new WhorlArgumentError(
      `baseUrl must be an http or https URL without credentials, query and fragment${unlessGiven(baseUrl)}.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Ends a sentence about an option that is often a variable of the environment. */
function unlessGiven(text: string | undefined): string {
  return text ? '' : ', but is missing';
}

/**
 * Returns the secret key after checking it. Any other value could not be sent as a header, or would make every call
 * fail.
 *
 * @throws {WhorlArgumentError} whose message does not contain the key.
 */
export function checkApiSecret(apiSecret: string | undefined): string {
  if (!isHeaderText(apiSecret)) {
    throw new WhorlArgumentError(
      `apiSecret must be the secret key of the project (sk_live_… or sk_test_…), without spaces or line breaks${unlessGiven(apiSecret)}.`,
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

/** Returns a version after checking it. Any other value could not be sent as a header. */
export function checkVersion(version: string): string {
  if (!isHeaderText(version)) throw new WhorlArgumentError('version must be the version of a retrieved project.');
  return version;
}

export function checkTimeoutMs(timeoutMs: number): number {
  // The maximum of timers.
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) {
    throw new WhorlArgumentError('timeoutMs must be a number of milliseconds above 0.');
  }
  return timeoutMs;
}

export function checkRetries(retries: number): number {
  if (!Number.isInteger(retries) || retries < 0) {
    throw new WhorlArgumentError('retries must be a whole number, 0 or more.');
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
