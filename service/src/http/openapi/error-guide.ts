import type { ErrorCode } from 'whorl/wire';

/** What each code means to a caller, and what helps. docs/errors.md and the page of the API's documentation show it. */
export const errorGuide: Readonly<Record<ErrorCode, { readonly meaning: string; readonly remedy: string }>> = {
  invalid_request: {
    meaning: 'The body, the query or a header does not fit the schema; `errors` says what is wrong, and where.',
    remedy: 'Correct the request; repeating it changes nothing.',
  },
  unauthorized: {
    meaning: 'There is no key, or it is unknown, was rotated out or was revoked.',
    remedy: 'Send a key of the project as `Authorization: Bearer <key>`.',
  },
  forbidden: {
    meaning:
      'A publishable key where a secret one is needed, or from an origin that is not allowed; or an attachment that is blocked.',
    remedy: "Use the secret key on your server; add the page's origin to the project's allowed origins.",
  },
  not_found: {
    meaning: "There is nothing of this id in the key's project and mode, or nothing at this address.",
    remedy: 'Check the id, and whether it was made with a live or a test key.',
  },
  method_not_allowed: {
    meaning: 'The address is right, and the method is not.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  timeout: {
    meaning: 'The request was not answered within 10 seconds. It may still take effect.',
    remedy: 'Repeat it with the same `Idempotency-Key`.',
  },
  already_consumed: {
    meaning: 'The evaluation was consumed before.',
    remedy: 'Treat the action as a replay, and refuse it.',
  },
  evaluation_mismatch: {
    meaning: 'The evaluation is of another user or of another action.',
    remedy: 'Refuse the action: the page sent an evaluation that was made for something else.',
  },
  evaluation_superseded: {
    meaning: 'The device or the user was detached, kicked, blocked, suspended or deleted since the evaluation.',
    remedy: 'Refuse the action, or evaluate it again.',
  },
  not_consumed: {
    meaning: 'A page made the evaluation with a publishable key, and the secret key has not consumed it.',
    remedy: 'Consume it first. It is deleted within 24 hours otherwise.',
  },
  code_not_sent: {
    meaning: 'No code was sent for this challenge.',
    remedy: 'Send one first.',
  },
  challenge_not_verified: {
    meaning: 'A code was sent, and the right one has not come back yet.',
    remedy: 'Verify the code first.',
  },
  challenge_closed: {
    meaning: 'The challenge was completed, was skipped or has expired.',
    remedy: 'Evaluate the action again: a new challenge is made where one is due.',
  },
  idempotency_in_flight: {
    meaning: 'A request with the same `Idempotency-Key` is still being answered.',
    remedy: 'Repeat it after `Retry-After`.',
  },
  code_expired: {
    meaning: 'The code is older than 10 minutes.',
    remedy: 'Send another.',
  },
  evaluation_expired: {
    meaning: 'The evaluation is older than 5 minutes.',
    remedy: 'Evaluate the action again.',
  },
  too_large: {
    meaning: 'The body is over 64 KiB; over 4 MiB for an import of users.',
    remedy: 'Send less; metadata has 16 KiB at most. Split an import into several requests.',
  },
  unsupported_media_type: {
    meaning: 'The body is not sent as JSON, or it is compressed.',
    remedy: 'Send JSON, with `Content-Type: application/json`.',
  },
  no_channel: {
    meaning:
      'The user has no address on a channel that this service can send on. `detail` says which address or which setting of the service is missing.',
    remedy: 'Verify the user by other means, add an address to the user, or configure mail or text messages.',
  },
  idempotency_mismatch: {
    meaning: 'The `Idempotency-Key` was used before, with another body or for another thing.',
    remedy: 'Use a new key for each request.',
  },
  too_many_attempts: {
    meaning: 'The code was tried five times, or the user had 10 wrong codes within an hour.',
    remedy: 'Send another code, or wait for `Retry-After`.',
  },
  rate_limited: {
    meaning:
      'There were too many requests, too many with wrong keys, too many imports at once, or too many codes were sent.',
    remedy: 'Repeat it after `Retry-After`.',
  },
  internal: {
    meaning: 'A fault of the service. Nothing of it is told here; the log has it under the `request_id`.',
    remedy: 'Repeat it with the same `Idempotency-Key`; report it if it stays.',
  },
  unavailable: {
    meaning: 'The database, or what sends codes, is not available.',
    remedy: 'Repeat it after `Retry-After`, with the same `Idempotency-Key`.',
  },
};

/** All codes, in the order of their statuses. */
export const errorCodes = Object.keys(errorGuide) as ErrorCode[];
