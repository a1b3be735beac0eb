import type { ErrorCode, Problem } from 'whorl/wire';

/** Error codes with their status and title. docs/errors.md and the OpenAPI document are generated from this table. */
export const errorTable = {
  invalid_request: { status: 400, title: 'The request is invalid' },
  unauthorized: { status: 401, title: 'The key is missing or invalid' },
  forbidden: { status: 403, title: 'This request is not allowed' },
  insufficient_scope: { status: 403, title: 'The key lacks a scope' },
  challenge_of_another_browser: { status: 403, title: 'Another browser began the challenge' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  timeout: { status: 408, title: 'The request took too long' },
  already_consumed: { status: 409, title: 'The evaluation has already been consumed' },
  evaluation_mismatch: { status: 409, title: 'The evaluation belongs to another user or action' },
  evaluation_superseded: { status: 409, title: 'The device or the user has been revoked since the evaluation' },
  not_consumed: { status: 409, title: 'The evaluation has not been consumed' },
  code_not_sent: { status: 409, title: 'No code has been sent' },
  challenge_not_verified: { status: 409, title: 'The code has not been verified' },
  challenge_closed: { status: 409, title: 'The challenge is closed' },
  idempotency_in_flight: { status: 409, title: 'The same request is still in progress' },
  code_expired: { status: 410, title: 'The code has expired' },
  evaluation_expired: { status: 410, title: 'The evaluation has expired' },
  precondition_failed: { status: 412, title: 'The object has changed' },
  too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'The body is not JSON' },
  no_channel: { status: 422, title: 'No code can be sent to the user' },
  own_factor_required: { status: 422, title: 'The user must be verified by a factor of the application' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key was used with another body' },
  precondition_required: { status: 428, title: 'The If-Match header is missing' },
  too_many_attempts: { status: 429, title: 'Too many wrong codes' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
  user_busy: { status: 503, title: 'Too many requests for one user at once' },
} as const satisfies Record<ErrorCode, { status: number; title: string }>;

/** Problem with one field, parameter or header of a request. The message follows the name: "must be a string". */
export type InputError = NonNullable<Problem['errors']>[number];

export interface ApiErrorOptions {
  /**
   * Text for the caller, without secrets or personal data. Default: the first of `errors`, otherwise the code's title.
   */
  readonly detail?: string;
  readonly retryAfterSeconds?: number;
  readonly errors?: Problem['errors'];
  readonly cause?: unknown;
}

/** Error that is returned to the caller. Any other error becomes `internal`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string;
  readonly retryAfterSeconds: number | undefined;
  readonly errors: Problem['errors'];

  constructor(code: ErrorCode, { detail, retryAfterSeconds, errors, cause }: ApiErrorOptions = {}) {
    super(detail ?? describeErrors(errors) ?? errorTable[code].title, { cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = errorTable[code].status;
    this.detail = this.message;
    this.retryAfterSeconds = retryAfterSeconds;
    this.errors = errors;
  }
}

/** Returns the error about an ID that the key's world does not have. */
export function noSuch(
  what: 'challenge' | 'device' | 'evaluation' | 'user' | 'list entry' | 'replay' | 'search' | 'view',
  cause?: unknown,
): ApiError {
  const elsewhere = 'It may belong to the other mode (test or live) or to another project.';
  return new ApiError('not_found', { detail: `There is no ${what} with this id. ${elsewhere}`, cause });
}

/** Returns a sentence about the first problem, and the number of others. */
function describeErrors(errors: readonly InputError[] = []): string | undefined {
  const [first, ...others] = errors;
  if (!first) return undefined;
  const subject = first.path === '' ? 'The body' : `\`${first.path}\``;
  const more = others.length === 1 ? '1 more error' : `${others.length} more errors`;
  return `${subject} ${first.message}.${others.length > 0 ? ` \`errors\` lists ${more}.` : ''}`;
}
