import type { ErrorCode, Problem } from 'whorl/wire';

/** The error table: each code with its status and title. docs/errors.md and the OpenAPI document follow from it. */
export const errorTable = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'The key is missing or wrong' },
  forbidden: { status: 403, title: 'The key may not do this' },
  not_found: { status: 404, title: 'There is no such thing' },
  method_not_allowed: { status: 405, title: 'The address does not take this method' },
  timeout: { status: 408, title: 'The request took too long' },
  already_consumed: { status: 409, title: 'The evaluation was consumed before' },
  evaluation_mismatch: { status: 409, title: 'The evaluation is of another user or action' },
  evaluation_superseded: { status: 409, title: 'The device or the user was revoked since' },
  not_consumed: { status: 409, title: 'The evaluation was not consumed' },
  code_not_sent: { status: 409, title: 'No code was sent' },
  challenge_not_verified: { status: 409, title: 'The code that was sent is not verified' },
  challenge_closed: { status: 409, title: 'The challenge is closed' },
  idempotency_in_flight: { status: 409, title: 'The same request is still being answered' },
  code_expired: { status: 410, title: 'The code is too old' },
  evaluation_expired: { status: 410, title: 'The evaluation is too old' },
  too_large: { status: 413, title: 'The request is too large' },
  unsupported_media_type: { status: 415, title: 'The body is not JSON' },
  no_channel: { status: 422, title: 'No code can be sent to the user' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key was used with another body' },
  too_many_attempts: { status: 429, title: 'Too many wrong codes' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'Not available for the moment' },
} as const satisfies Record<ErrorCode, { status: number; title: string }>;

/** What is wrong with one field, parameter or header of a request. The message follows the name: "must be a string". */
export type InputError = NonNullable<Problem['errors']>[number];

export interface ApiErrorOptions {
  /** What the caller reads; no secrets, no personal data. Default: the first of `errors`, or else the code's title. */
  readonly detail?: string;
  readonly retryAfterSeconds?: number;
  readonly errors?: Problem['errors'];
  readonly cause?: unknown;
}

/** An error that a caller is told of. Anything else that is thrown becomes `internal`. */
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

/** Returns a sentence about the first fault, and how many more there are. */
function describeErrors(errors: readonly InputError[] = []): string | undefined {
  const [first, ...others] = errors;
  if (!first) return undefined;
  const subject = first.path === '' ? 'The body' : `\`${first.path}\``;
  const more = others.length === 1 ? '1 more fault' : `${others.length} more faults`;
  return `${subject} ${first.message}.${others.length > 0 ? ` \`errors\` lists ${more}.` : ''}`;
}
