/** The stable error codes (docs/errors.md). */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'insufficient_scope'
  | 'challenge_of_another_browser'
  | 'not_found'
  | 'method_not_allowed'
  | 'already_consumed'
  | 'evaluation_mismatch'
  | 'evaluation_superseded'
  | 'not_consumed'
  | 'code_not_sent'
  | 'challenge_not_verified'
  | 'challenge_closed'
  | 'idempotency_in_flight'
  | 'code_expired'
  | 'evaluation_expired'
  | 'precondition_failed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'no_channel'
  | 'own_factor_required'
  | 'idempotency_mismatch'
  | 'precondition_required'
  | 'too_many_attempts'
  | 'rate_limited'
  | 'internal'
  | 'timeout'
  | 'unavailable'
  | 'user_busy';

/** The body of every error: RFC 9457, `application/problem+json`. */
export interface Problem {
  /** The URL of the code's documentation. */
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  request_id: string;
  /** With `invalid_request`: the invalid fields and what is wrong with them. */
  errors?: { path: string; message: string }[];
}
