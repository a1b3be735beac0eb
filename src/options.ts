import { WhorlError } from './errors.js';
import { ownFields } from './own-fields.js';
import { settings } from './settings.js';

/** Options of `getHash` and `getComponents`. */
export interface GetHashOptions {
  /** The deadline of one reading, in milliseconds. After it, the reading's facet is unreadable. Default 2000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Mixed into every digest, so that the owners of two sites cannot compare their fingerprints. Default ''. Changing it
   * changes the whole fingerprint, and each scope has its own saved fingerprint.
   */
  readonly scope?: string | undefined;
  /**
   * The URL of a copy of `whorl-worker.min.js` on the page's own origin. Its worker makes the readings that would block
   * the page for longest, and repeats others, because spoofing in the page does not reach it. Default: none. The page
   * makes what the worker does not return within half of `timeoutMs`. The page's CSP must allow the URL in `worker-src`.
   */
  readonly workerUrl?: string | undefined;
}

/** The options with their defaults. */
export interface ResolvedOptions {
  readonly timeoutMs: number;
  readonly scope: string;
  /** '' for none. */
  readonly workerUrl: string;
}

/**
 * Checks options and fills in defaults.
 *
 * @throws {WhorlError} `not_in_browser` outside a page, `invalid_options` for an option with an invalid value.
 */
export function resolveOptions(options: GetHashOptions = {}): ResolvedOptions {
  const { timeoutMs = 2000, scope = settings.scope ?? '', workerUrl = settings.workerUrl ?? '' } = ownFields(options);
  if (typeof document === 'undefined') {
    throw new WhorlError('not_in_browser', 'Call this in a browser page.');
  }
  if (!isDuration(timeoutMs)) throw invalid('timeoutMs', durationExpected);
  if (typeof scope !== 'string') throw invalid('scope', 'a string');
  if (typeof workerUrl !== 'string') throw invalid('workerUrl', 'a string');
  return { timeoutMs, workerUrl, scope };
}

/** What `baseUrl` must be, for error messages. */
export const baseUrlExpected = 'the http or https URL of the service';

/** What a duration must be, for error messages. */
export const durationExpected = 'a number of milliseconds above 0';

/** Returns whether timers support a duration. */
export function isDuration(value: number): boolean {
  return value > 0 && value < 2 ** 31;
}

/** Returns the error about an option with an invalid value. */
export function invalid(name: string, expected: string): WhorlError {
  return new WhorlError('invalid_options', `${name} must be ${expected}.`);
}
