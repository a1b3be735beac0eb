import { WhorlError } from './errors.js';
import { settings } from './settings.js';

/** Options of `getHash` and `getComponents`. */
export interface GetHashOptions {
  /** How long one reading may take, in milliseconds, before its facet counts as unreadable. Default 2000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Mixed into every digest, so that the owners of two sites cannot compare the fingerprints they hold. Default ''. A
   * changed scope changes the whole fingerprint, and has a saved one of its own.
   */
  readonly scope?: string | undefined;
  /**
   * Address of a copy of `whorl.min.js` on the page's own origin, for readings in a worker, which spoofing in the page
   * does not reach. Default none. The page's CSP has to allow it in `worker-src`.
   */
  readonly workerUrl?: string | undefined;
}

/** The options with their defaults. */
export interface ResolvedOptions {
  readonly timeoutMs: number;
  readonly scope: string;
  readonly workerUrl: string | undefined;
}

/**
 * Checks options and fills in defaults.
 *
 * @throws {WhorlError} `not_in_browser` where there is no page, `invalid_options` for a value that an option cannot
 *   have.
 */
export function resolveOptions({
  timeoutMs = 2000,
  scope = settings.scope ?? '',
  workerUrl = settings.workerUrl,
}: GetHashOptions = {}): ResolvedOptions {
  if (typeof document === 'undefined') {
    throw new WhorlError('not_in_browser', 'There is no page to read here.');
  }
  if (!isDuration(timeoutMs)) throw invalid('timeoutMs', durationExpected);
  if (typeof scope !== 'string') throw invalid('scope', 'a string');
  if (workerUrl !== undefined && typeof workerUrl !== 'string') throw invalid('workerUrl', 'a string');
  return { timeoutMs, scope, workerUrl };
}

/** What `baseUrl` must be, for `invalid`. */
export const baseUrlExpected = 'the http or https address of the service';

/** What a duration must be, for `invalid`. */
export const durationExpected = 'a number of milliseconds above 0';

/** Whether timers can wait for so many milliseconds. */
export function isDuration(value: number): boolean {
  return value > 0 && value < 2 ** 31;
}

/** Returns the error about an option with an invalid value. */
export function invalid(name: string, expected: string): WhorlError {
  return new WhorlError('invalid_options', `${name} must be ${expected}.`);
}
