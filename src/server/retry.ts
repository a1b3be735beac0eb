import { WhorlApiError, WhorlConnectionError } from './errors.js';

const firstPauseMs = 200;
const longestPauseMs = 5000;

/**
 * How long to wait before a failed call is tried again, in milliseconds; undefined where that would not help. The pause
 * doubles with each retry, less a random part of up to one half, so that callers who failed together do not come back
 * together. What `Retry-After` asks for comes on top: the service is never asked earlier.
 */
export function pauseBeforeRetry(error: unknown, retry: number): number | undefined {
  if (!isPassing(error)) return undefined;
  const backoffMs = Math.min(firstPauseMs * 2 ** retry, longestPauseMs) * (1 - Math.random() / 2);
  const askedSeconds = error instanceof WhorlApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return askedSeconds * 1000 + backoffMs;
}

/** Whether the same call may succeed in a moment. */
function isPassing(error: unknown): boolean {
  if (error instanceof WhorlConnectionError) return error.code === 'network';
  if (!(error instanceof WhorlApiError)) return false;
  if (error.status === 409) return error.code === 'idempotency_in_flight';
  // Wrong codes are not forgiven within a call's time.
  if (error.status === 429) return error.code !== 'too_many_attempts';
  return [502, 503, 504].includes(error.status);
}

/** Whether the service could not be asked, whatever the question was; not so where it refused the question. */
export function isOutOfReach(error: unknown): error is WhorlApiError | WhorlConnectionError {
  if (error instanceof WhorlConnectionError) return error.code !== 'aborted';
  return error instanceof WhorlApiError && (error.status >= 500 || [408, 429].includes(error.status));
}

/**
 * The seconds that a `Retry-After` header asks for: a number, or the time until a date (RFC 9110, 10.2.3). Undefined
 * where it says neither.
 */
export function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  // A date starts with the day's name; parsers also take much that is no date here.
  const date = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
