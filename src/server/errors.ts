import type { ErrorCode, Problem } from '../wire/index.js';

/**
 * The base class of all errors of the server client. `code` is stable: match on it, never on the message. The message
 * is for developers and contains neither secrets nor personal data.
 */
export abstract class WhorlClientError extends Error {
  abstract readonly code: string;

  constructor(name: string, message: string, cause?: unknown) {
    super(message);
    this.name = name;
    if (cause !== undefined) this.cause = cause;
  }

  declare cause?: unknown;
}

/** An option or argument has an invalid value. The message names it. Nothing was sent. */
export class WhorlArgumentError extends WhorlClientError {
  readonly code = 'invalid_argument';

  constructor(message: string, cause?: unknown) {
    super('WhorlArgumentError', message, cause);
  }
}

/** The fields of a `WhorlApiError`. */
export interface ApiErrorFields {
  readonly status: number;
  readonly code: ErrorCode;
  readonly requestId?: string | undefined;
  readonly errors?: Problem['errors'];
  readonly retryAfterSeconds?: number | undefined;
}

/** The service returned an error (docs/server.md, Errors). */
export class WhorlApiError extends WhorlClientError {
  readonly code: ErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** The ID under which the operator finds the request. Absent if a proxy in front of the service responded. */
  readonly requestId: string | undefined;
  /** With `invalid_request`: the invalid fields and what is wrong with them. */
  readonly errors: Problem['errors'];
  /** How many seconds to wait before the next request. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, { status, code, requestId, errors, retryAfterSeconds }: ApiErrorFields) {
    super('WhorlApiError', message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Why there is no response from the service.
 *
 * - `network`: the service could not be reached, or the connection failed.
 * - `timeout`: the call did not complete within its `timeoutMs`.
 * - `aborted`: its `signal` was aborted.
 * - `invalid_response`: the response does not come from the service. Usually `baseUrl` is wrong, or a proxy responded.
 */
export type ConnectionErrorCode = 'network' | 'timeout' | 'aborted' | 'invalid_response';

/** There is no response from the service. The operation may have been carried out anyway. */
export class WhorlConnectionError extends WhorlClientError {
  readonly code: ConnectionErrorCode;

  constructor(code: ConnectionErrorCode, message: string, cause?: unknown) {
    super('WhorlConnectionError', message, cause);
    this.code = code;
  }
}

/**
 * Why a webhook or token cannot be trusted.
 *
 * - `malformed`: it is not a webhook or token.
 * - `headers_missing`: one of the webhook's three headers is missing.
 * - `timestamp_out_of_range`: the webhook was signed more than 5 minutes before or after the current time.
 * - `signature_mismatch`: it was not signed with any of the given secrets or any of the service's keys.
 * - `expired`: the token has expired.
 * - `claim_mismatch`: the token belongs to another service, project, action or user.
 */
export type VerificationErrorCode =
  | 'malformed'
  | 'headers_missing'
  | 'timestamp_out_of_range'
  | 'signature_mismatch'
  | 'expired'
  | 'claim_mismatch';

/** A webhook or token cannot be trusted. */
export class WhorlVerificationError extends WhorlClientError {
  readonly code: VerificationErrorCode;

  constructor(code: VerificationErrorCode, message: string, cause?: unknown) {
    super('WhorlVerificationError', message, cause);
    this.code = code;
  }
}
