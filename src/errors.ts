import type { ErrorCode } from './wire/problem.js';

/**
 * Why a call of this package failed. Stable: match on it, never on the message.
 *
 * - `not_in_browser`: there is no page here (Node, a worker, server-side rendering).
 * - `invalid_options`: an option has a value that it cannot have; the message names it.
 * - `invalid_fingerprint`: the text is not a fingerprint of a format that this version reads.
 * - `network`: no answer came from the service: it cannot be reached, or does not allow this origin.
 * - `timeout`: the answer was not there in time.
 * - `aborted`: the caller's signal ended it.
 * - `navigation`: the managed challenge page could not be opened: the page is in a frame, or did not leave.
 * - `http`: the service answered with an error, or with what is no answer of its; `status` and the others say more.
 */
export type WhorlErrorCode =
  | 'not_in_browser'
  | 'invalid_options'
  | 'invalid_fingerprint'
  | 'network'
  | 'timeout'
  | 'aborted'
  | 'navigation'
  | 'http';

/** The one error class of this package. Its message is for the developer who reads it, and holds no option's value. */
export class WhorlError extends Error {
  readonly code: WhorlErrorCode;
  /** What was thrown underneath; with `aborted`, the signal's reason. */
  declare readonly cause?: unknown;
  /** With `http`: the HTTP status. */
  declare readonly status?: number | undefined;
  /** With `http`: the service's own code (docs/errors.md), where it gave one. */
  declare readonly problemCode?: ErrorCode | (string & {}) | undefined;
  /** With `http`: the name of the request in the service's log, where it gave one. */
  declare readonly requestId?: string | undefined;
  /** With `http`: how many seconds to wait before another try, where the service says so (RFC 9110, section 10.2.3). */
  declare readonly retryAfter?: number | undefined;

  constructor(code: WhorlErrorCode, message: string, details?: WhorlErrorDetails) {
    super(message);
    this.name = 'WhorlError';
    this.code = code;
    Object.assign(this, details);
  }
}

/** What an error can have beside its code. */
type WhorlErrorDetails = Pick<WhorlError, 'cause' | 'status' | 'problemCode' | 'requestId' | 'retryAfter'>;
