/** What a customer's application does with an action. The docs say what each one asks for (docs/verdicts.md). */
export type Verdict = 'allow' | 'challenge' | 'restrict' | 'challenge_and_restrict' | 'deny';

/** Why a verdict is what it is. */
export type Reason =
  | 'new_device'
  | 'new_ip'
  | 'unproven_device'
  | 'limit_exceeded'
  | 'concurrency'
  | 'multiple_accounts'
  | 'self_referral'
  | 'velocity'
  | 'disposable_email'
  | 'automation'
  | 'tampering'
  | 'unreadable_fingerprint'
  | 'blocked';

/**
 * How strong the evidence is that two evaluations come from one device: by the fingerprint alone, by it and something
 * that look-alike devices do not share, or by the same key.
 */
export type Strength = 'fingerprint' | 'corroborated' | 'proven';

/** How a fingerprint was recognised. */
export type MatchedBy = 'exact' | 'last' | 'facets' | 'new';

/**
 * What came of the proof of an evaluation: `valid`, or why it counts as none. `malformed`: no proof of this package, or
 * not signed with the key it shows. `wrong_nonce`: the nonce is none that this service gave to the key's project and
 * world. `expired`: the nonce's 5 minutes were over. `wrong_time`: not made in that time, by the page's clock.
 * `wrong_origin`: made in a page of an origin that the project does not allow. `wrong_fingerprint`: made with another
 * fingerprint than the request's. `replayed`: the nonce was used before.
 */
export type ProofOutcome =
  | 'valid'
  | 'malformed'
  | 'wrong_nonce'
  | 'expired'
  | 'wrong_time'
  | 'wrong_origin'
  | 'wrong_fingerprint'
  | 'replayed';

export type DeviceKind = 'mobile' | 'tablet' | 'desktop' | 'unknown';

/**
 * `pending`: its challenge is not completed. `blocked`: every evaluation from it is denied.
 */
export type DeviceStatus = 'attached' | 'detached' | 'pending' | 'blocked';

export type ChallengeStatus = 'pending' | 'completed' | 'skipped' | 'expired';

export type Channel = 'text' | 'email';

export type UserStatus = 'active' | 'suspended';

/**
 * The actions that the policy has a column for; any other name of `[a-z0-9_]{1,64}` is judged as `login`.
 */
export type Action = 'login' | 'signup' | 'referral' | 'password_reset' | 'payment' | (string & {});

export type FeedbackLabel = 'fraud' | 'legitimate';

/** A point in time: ISO 8601, UTC, with milliseconds. */
export type Timestamp = string;

/** Free-form data of the customer's own. */
export type Metadata = Record<string, unknown>;
