import type { ErrorCode, Problem } from '../wire/index.js';

/**
 * What all errors of the server client have in common. `code` is stable: match on it, never on the message, which is for
 * the developer who reads it and holds neither secrets nor personal data.
 */
export abstract class WhorlError extends Error {
  abstract readonly code: string;

  constructor(name: string, message: string, cause?: unknown) {
    super(message);
    this.name = name;
    if (cause !== undefined) this.cause = cause;
  }

  declare cause?: unknown;
}

/** An option or argument has a value that it cannot have; the message names it. Nothing was sent. */
export class WhorlArgumentError extends WhorlError {
  readonly code = 'invalid_argument';

  constructor(message: string, cause?: unknown) {
    super('WhorlArgumentError', message, cause);
  }
}

/** What a `WhorlApiError` is made of. */
export interface ApiErrorFields {
  readonly status: number;
  readonly code: ErrorCode;
  readonly requestId?: string | undefined;
  readonly errors?: Problem['errors'];
  readonly retryAfterSeconds?: number | undefined;
}

/** The service answered with an error (docs/server.md, Errors). */
export class WhorlApiError extends WhorlError {
  readonly code: ErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** By which the operator finds the request. Absent where something in front of the service answered. */
  readonly requestId: string | undefined;
  /** With `invalid_request`: what is wrong, and where. */
  readonly errors: Problem['errors'];
  /** For how many seconds the service asks to be left alone. */
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
 * Why there is no answer of the service.
 *
 * - `network`: it could not be reached, or the connection broke.
 * - `timeout`: the call was not over within its `timeoutMs`.
 * - `aborted`: its `signal` was aborted.
 * - `invalid_response`: what came is no answer of the service; mostly `baseUrl` is wrong, or a proxy answered.
 */
export type ConnectionErrorCode = 'network' | 'timeout' | 'aborted' | 'invalid_response';

/** There is no answer of the service. What was to be done may have been done all the same. */
export class WhorlConnectionError extends WhorlError {
  readonly code: ConnectionErrorCode;

  constructor(code: ConnectionErrorCode, message: string, cause?: unknown) {
    super('WhorlConnectionError', message, cause);
    this.code = code;
  }
}

/**
 * Why a webhook or a token is not to be believed.
 *
 * - `malformed`: it is none.
 * - `headers_missing`: a webhook without one of its three headers.
 * - `timestamp_out_of_range`: a webhook signed more than 5 minutes ago, or ahead.
 * - `signature_mismatch`: none of the given secrets, or none of the service's keys, signed it.
 * - `expired`: a token whose time is over.
 * - `claim_mismatch`: a token of another service, project, action or user.
 */
export type VerificationErrorCode =
  | 'malformed'
  | 'headers_missing'
  | 'timestamp_out_of_range'
  | 'signature_mismatch'
  | 'expired'
  | 'claim_mismatch';

/** A webhook or a token is not to be believed. */
export class WhorlVerificationError extends WhorlError {
  readonly code: VerificationErrorCode;

  constructor(code: VerificationErrorCode, message: string, cause?: unknown) {
    super('WhorlVerificationError', message, cause);
    this.code = code;
  }
}
