import type { AddressInfo } from './addresses.js';
import type { HardwareInfo } from './devices.js';
import type { DecidedBy, Risk } from './judgement.js';
import type { Reason } from './reasons.js';
import type { WithWarnings } from './response-parts.js';
import type { Action, DeclaredAgent, MatchedBy, Metadata, Outcome, Verdict } from './vocabulary.js';

/** POST /v2/device/evaluate (docs/api.md). */
export interface EvaluateRequest {
  action: Action;
  /** The customer's identifier of the user. */
  user: string;
  /**
   * The current fingerprint: `fingerprint` from `collect`, or the first value of `getHash`. Leave it out if your server
   * received none, or one that it cannot use. It then counts as unreadable. Required with a publishable key.
   */
  fingerprint?: string;
  /** The last saved fingerprint: `last_fingerprint` from `collect`, or the second value of `getHash`. */
  last_fingerprint?: string;
  /** The version of the browser package. */
  version?: string;
  /** The user's IPv4 or IPv6 address. Ignored with a publishable key, where the address of the connection is used. */
  ip?: string;
  email?: string;
  phone?: string;
  /** The browser's `User-Agent`. If present, it is checked against the fingerprint. */
  user_agent?: string;
  /** The result of `verifyAgent` (docs/agents.md). Ignored with a publishable key. */
  agent?: DeclaredAgent;
  /** At most 16 KiB. `referral` uses `referrer`, a user ID. */
  metadata?: Metadata;
  /** Proves that the page holds its key: `proof` from `collect`, or the result of `getProof` (docs/proof.md). */
  proof?: string;
  /**
   * Default `succeeded`. `failed` reports an attempt that your own checks rejected. It is judged and counted, and has no
   * other effect. `user` need not exist.
   */
  outcome?: Outcome;
  /**
   * The ID of a challenge that this browser completed. Accepted once, within 10 minutes after completion, for the same
   * user, action, address and device; without a readable fingerprint, the challenged request must have had none either.
   * The request is then not challenged again. Otherwise it is ignored. Ignored with a publishable key.
   */
  completed_challenge?: string;
  /**
   * The factors that your application has for this user, by which it can verify the user itself, such as `passkey` and
   * `totp`: at most 16 names of 1 to 64 letters, digits, `_`, `.` and `-`. With the setting `prefer_own_factor`, the user
   * is then offered no code for `new_device` and `new_ip`. Ignored with a publishable key.
   */
  methods?: string[];
}

/** The argument of `reportFailure`: an evaluation of an attempt that your own checks rejected. */
export type ReportFailureRequest = Omit<EvaluateRequest, 'outcome' | 'completed_challenge' | 'methods'>;

/** The response to an evaluation with a secret key (docs/api.md). */
export interface Evaluation extends WithWarnings, HardwareInfo {
  verdict: Verdict;
  fingerprint_id: string;
  reasons: Reason[];
  /** Why it has this verdict. */
  decided_by: DecidedBy;
  /** The tags that rules put on it (docs/rules.md). Absent if there are none. */
  tags?: string[];
  /** With `challenge` and `challenge_and_restrict`. Absent for a failed attempt. */
  challenge_id?: string;
  /** With a challenge, if the project's managed challenge page is enabled: the URL of that page, valid once. */
  challenge_url?: string;
  evaluation_id: string;
  /** The `_id` of the user. Absent if the user was unknown and the verdict is `deny` or the attempt failed. */
  user_id?: string;
  /** Absent if the device was unknown and the verdict is `deny` or the attempt failed. */
  device_id?: string;
  /** Lets the page of this device receive its detachment. Absent if the verdict is `deny` or the attempt failed. */
  device_token?: string;
  /** The probability that this is the device of `fingerprint_id`, from 0 to 1. */
  confidence: number;
  matched_by: MatchedBy;
  /** The facets that differ from the matched variant. */
  changed: string[];
  /** In observe mode: the verdict that would have been returned. */
  observed_verdict?: Verdict;
  /** In observe mode: what the verdict would have been with the other value of `judge_by`. */
  alternative_verdict?: Verdict;
  /** How probable an attack is, and why. */
  risk?: Risk;
  /**
   * The number of users with this hardware who were seen at this network in the last 24 hours, at most 100. Absent without
   * `hardware_id` or `ip`.
   */
  hardware_users_today_at_network?: number;
  /** What is known about the request's `ip`. Absent if nothing is known. */
  address?: AddressInfo;
}

/** The response to an evaluation with a publishable key: a claim, until it is consumed with the secret key. */
export interface ClaimedEvaluation extends WithWarnings {
  evaluation_id: string;
  verdict: Verdict;
  fingerprint_id: string;
  challenge_id?: string;
  /** With a challenge, if the project's managed challenge page is enabled: the URL of that page, valid once. */
  challenge_url?: string;
  /** A signed JSON Web Token, valid for 5 minutes (docs/evaluate.md). */
  token: string;
}

/** The claims of an evaluation's token (RFC 7519). They are a hint until the evaluation is consumed. */
export interface TokenPayload {
  /** The service's base URL. */
  iss: string;
  /** The ID of the project. */
  aud: string;
  /** When the token expires, in seconds since 1970: 5 minutes after `iat`. */
  exp: number;
  /** When the token was issued, in seconds since 1970. */
  iat: number;
  /** The ID of the evaluation. */
  jti: string;
  /** The customer's identifier of the user, as the page sent it. */
  user: string;
  action: Action;
  fingerprint_id: string;
  verdict: Verdict;
  /** Present if the page reported the attempt as failed. `verifyToken` rejects such a token. */
  outcome?: 'failed';
}
