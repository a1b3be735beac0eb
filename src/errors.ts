import type { ErrorCode } from './wire/problem.js';

/**
 * Why a call failed. Stable: match on the code, never on the message.
 *
 * - `not_in_browser`: the code does not run in a page (Node, a worker, server-side rendering).
 * - `invalid_options`: an option has an invalid value. The message names the option.
 * - `invalid_fingerprint`: the text is not a fingerprint in a format that this version reads.
 * - `network`: no response arrived. The service cannot be reached or does not allow this origin.
 * - `timeout`: no response arrived in time.
 * - `aborted`: the caller's signal was aborted.
 * - `navigation`: the managed challenge page could not be opened, because the page is in a frame or did not navigate.
 * - `http`: the service returned an error or an unexpected response. `status` and the other fields give details.
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

/** The error class of this package. Its message is for developers and contains no option values. */
export class WhorlError extends Error {
  readonly code: WhorlErrorCode;
  /** The underlying error. With `aborted`, the signal's reason. */
  declare readonly cause?: unknown;
  /** With `http`: the HTTP status. */
  declare readonly status?: number | undefined;
  /** With `http`: the service's error code (docs/errors.md), if the response contained one. */
  declare readonly problemCode?: ErrorCode | (string & {}) | undefined;
  /** With `http`: the ID of the request in the service's log, if the response contained one. */
  declare readonly requestId?: string | undefined;
  /**
   * With `http`: how many seconds to wait before the next attempt, if the service says so (RFC 9110, section 10.2.3).
   */
  declare readonly retryAfter?: number | undefined;

  constructor(code: WhorlErrorCode, message: string, details?: WhorlErrorDetails) {
    super(message);
    this.name = 'WhorlError';
    this.code = code;
    Object.assign(this, details);
  }
}

/** The fields that an error can have in addition to its code. */
type WhorlErrorDetails = Pick<WhorlError, 'cause' | 'status' | 'problemCode' | 'requestId' | 'retryAfter'>;
