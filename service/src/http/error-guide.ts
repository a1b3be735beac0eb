import type { ErrorCode } from 'whorl/wire';

/** Meaning and remedy of each error code, shown in docs/errors.md and in the API documentation. */
export const errorGuide: Readonly<Record<ErrorCode, { readonly meaning: string; readonly remedy: string }>> = {
  invalid_request: {
    meaning: 'The body, the query or a header does not match the schema. `errors` lists the invalid fields.',
    remedy: 'Correct the request.',
  },
  unauthorized: {
    meaning: 'The key is missing, unknown, revoked, or expired after a rotation.',
    remedy: 'Send a key of the project as `Authorization: Bearer <key>`.',
  },
  forbidden: {
    meaning:
      'The endpoint needs a secret key, the publishable key does not allow the origin, or the device to attach is blocked.',
    remedy: "Use the secret key on your server, or add the page's origin to `allowed_origins`.",
  },
  insufficient_scope: {
    meaning: 'The secret key does not have the scope that the endpoint needs. `detail` names both.',
    remedy: 'Use a key with this scope, or create one. The scopes of a key cannot be changed.',
  },
  challenge_of_another_browser: {
    meaning:
      'Another browser began the challenge. Only adapters and the managed challenge page (in the header `Whorl-Error-Code`) return this code.',
    remedy: 'Continue in the browser that began it, or start again.',
  },
  not_found: {
    meaning: "The key's project and mode have no object with this ID, or the path does not exist.",
    remedy: 'Check the ID, and whether the object was created with a live or a test key.',
  },
  method_not_allowed: {
    meaning: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  timeout: {
    meaning: 'The request took longer than 10 seconds. It may still take effect.',
    remedy: 'Repeat it with the same `Idempotency-Key`.',
  },
  already_consumed: {
    meaning: 'The evaluation was consumed before.',
    remedy: 'Refuse the action: it is a replay.',
  },
  evaluation_mismatch: {
    meaning: "The `user` or `action` differs from the evaluation's.",
    remedy: 'Refuse the action: the page sent an evaluation for another purpose.',
  },
  evaluation_superseded: {
    meaning: 'The device or the user was detached, kicked, blocked, suspended or deleted since the evaluation.',
    remedy: 'Refuse the action, or evaluate it again.',
  },
  not_consumed: {
    meaning: 'A page created the evaluation, and the secret key has not consumed it.',
    remedy: 'Consume it first. Otherwise it is deleted within 24 hours.',
  },
  code_not_sent: {
    meaning: 'No code was sent for this challenge.',
    remedy: 'Send a code first.',
  },
  challenge_not_verified: {
    meaning: 'A code was sent, but has not been verified yet.',
    remedy: 'Verify the code first.',
  },
  challenge_closed: {
    meaning: 'The challenge was completed, was skipped or has expired.',
    remedy: 'Evaluate the action again, which creates a new challenge if one is needed.',
  },
  idempotency_in_flight: {
    meaning: 'A request with the same `Idempotency-Key` is in progress.',
    remedy: 'Repeat it after `Retry-After`.',
  },
  code_expired: {
    meaning: 'The code is older than 10 minutes.',
    remedy: 'Send another code.',
  },
  evaluation_expired: {
    meaning: 'The evaluation is older than 5 minutes.',
    remedy: 'Evaluate the action again.',
  },
  precondition_failed: {
    meaning: 'The object was changed since you read it: its `ETag` is not the one in `If-Match`. Nothing was changed.',
    remedy: 'Read it again, apply your change to the new state, and send its `ETag`.',
  },
  too_large: {
    meaning: 'The body is larger than 64 KiB, or 1 MiB for a project, or 4 MiB for an import of users.',
    remedy: 'Send less data. Split an import into several requests.',
  },
  unsupported_media_type: {
    meaning: 'The body is not JSON, or is compressed.',
    remedy: 'Send uncompressed JSON, with `Content-Type: application/json`.',
  },
  no_channel: {
    meaning: 'The user has no contact that this service can send to. `detail` names the missing contact or setting.',
    remedy: 'Add a contact to the user, configure mail or text messages, or verify the user by other means.',
  },
  own_factor_required: {
    meaning:
      'With the setting `prefer_own_factor`, no code is sent to a user who has a factor of your application, or of whom ' +
      'your server has not said which `methods` there are.',
    remedy: 'Verify the user by that factor, then call `complete` with `method`.',
  },
  idempotency_mismatch: {
    meaning: 'The `Idempotency-Key` was used before with another body or path.',
    remedy: 'Use a new key for each request.',
  },
  precondition_required: {
    meaning: 'The request replaces an object, and has no `If-Match` header. Nothing was changed.',
    remedy: 'Read the object, and send its `ETag` as `If-Match`.',
  },
  too_many_attempts: {
    meaning: 'The code was tried 5 times, or the user entered 10 wrong codes within an hour.',
    remedy: 'Send a new code, or wait for `Retry-After`.',
  },
  rate_limited: {
    meaning: 'There were too many requests, requests with invalid keys, simultaneous imports, or codes.',
    remedy: 'Repeat it after `Retry-After`.',
  },
  internal: {
    meaning: 'The service failed. The details are in its log, under the `request_id`.',
    remedy: 'Repeat it with the same `Idempotency-Key`. If it fails again, report it.',
  },
  unavailable: {
    meaning: 'The database, or the provider that sends codes, is unavailable.',
    remedy: 'Repeat it after `Retry-After`.',
  },
  user_busy: {
    meaning: 'Requests for one user run one after another, and too many of them are waiting.',
    remedy: 'Repeat it after `Retry-After`.',
  },
};

/** All codes, ordered by status. */
export const errorCodes = Object.keys(errorGuide) as ErrorCode[];
