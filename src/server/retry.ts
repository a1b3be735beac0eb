import { WhorlApiError, WhorlConnectionError } from './errors.js';

const firstPauseMs = 200;
const longestPauseMs = 5000;

/**
 * Returns how many milliseconds to wait before the retry of a failed call, or undefined if a retry would not help. The
 * pause doubles with each retry, minus a random part of up to one half, so that callers that failed together do not
 * retry together. It is added to the time in `Retry-After`, so no retry comes too early.
 */
export function pauseBeforeRetry(error: unknown, retry: number): number | undefined {
  if (!isPassing(error)) return undefined;
  const backoffMs = Math.min(firstPauseMs * 2 ** retry, longestPauseMs) * (1 - Math.random() / 2);
  const askedSeconds = error instanceof WhorlApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return askedSeconds * 1000 + backoffMs;
}

/** Returns whether the same call may succeed in a moment. */
function isPassing(error: unknown): boolean {
  if (error instanceof WhorlConnectionError) return error.code === 'network';
  if (!(error instanceof WhorlApiError)) return false;
  if (error.status === 409) return error.code === 'idempotency_in_flight';
  // The limit on wrong codes does not reset within the time of a call.
  if (error.status === 429) return error.code !== 'too_many_attempts';
  return [502, 503, 504].includes(error.status);
}

/**
 * Returns whether the service was unavailable, as opposed to rejecting this request. What visitors can bring about must
 * not switch judgement off. So a busy service is not unavailable, nor one in front of which something else responds: a
 * firewall may reject what a visitor sent.
 */
export function isOutOfReach(error: unknown): error is WhorlApiError | WhorlConnectionError {
  return isUnanswered(error) && error.code !== 'invalid_response';
}

/** Returns whether the service itself neither carried out nor rejected the request. */
export function isUnanswered(error: unknown): error is WhorlApiError | WhorlConnectionError {
  if (error instanceof WhorlConnectionError) return error.code !== 'aborted';
  return error instanceof WhorlApiError && error.status >= 500 && !isBusy(error);
}

/** Returns whether the service has too much to do for this project or user. Anyone can bring that about. */
export function isBusy(error: unknown): boolean {
  return error instanceof WhorlApiError && (error.status === 429 || isUserBusy(error));
}

/** Returns whether too many requests wait for one user. Adapters contain no class of `errors.ts`, so it needs none. */
export function isUserBusy({ code }: { readonly code: string }): boolean {
  return code === 'user_busy';
}

/**
 * Returns the seconds in a `Retry-After` header: a number, or the time until a date (RFC 9110, 10.2.3). Returns
 * undefined for anything else.
 */
export function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  // An HTTP date starts with the name of the day. Date.parse also accepts texts that are not dates here.
  const date = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
