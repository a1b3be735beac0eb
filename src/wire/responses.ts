import type {
  AddressInfo,
  DecidedBy,
  Device,
  DeviceLimit,
  EvaluationRecord,
  HardwareInfo,
  Risk,
  User,
} from './resources.js';
import type { Action, Channel, MatchedBy, Reason, Timestamp, Verdict } from './vocabulary.js';

/** A probable mistake in a request that was accepted: a misspelt field, an unreadable address. */
export interface RequestWarning {
  /** The path of the field, or of a missing field. */
  path: string;
  message: string;
}

/** The warnings in responses to test keys. Responses to live keys never contain them. */
export interface WithWarnings {
  /** Always present with test keys, and never with live keys. Empty if there is nothing to report. */
  warnings?: RequestWarning[];
}

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

export interface FingerprintResponse {
  fingerprint_id: string;
  confidence: number;
  matched_by: MatchedBy;
  changed: string[];
}

/** The response to a publishable key: nothing that tells whether the browser is known. */
export interface PageFingerprintResponse {
  /** The ID of exactly this fingerprint. */
  fingerprint_id: string;
}

export interface NonceResponse {
  /** The argument of `collect` and `getProof`. Valid for one evaluation or attachment of this project and world. */
  nonce: string;
  /** 5 minutes after the nonce was created. */
  expires_at: Timestamp;
}

export interface AttachResponse extends WithWarnings {
  success: boolean;
  /** The `_id` of the user. */
  user_id: string;
  device_id: string;
  fingerprint_id: string;
  attached_devices: number;
  limit: DeviceLimit;
  challenge_id?: string;
  /** With a challenge, if the project's managed challenge page is enabled: the URL of that page, valid once. */
  challenge_url?: string;
  device_token: string;
}

export interface Success {
  success: boolean;
}

export interface DeviceSuccess extends Success {
  device: Device;
}

export interface SendResponse {
  challenge_id: string;
  channel: Channel;
  /** Masked. */
  sent_to: string;
  expires_at: Timestamp;
}

export interface VerifyResponse extends Success {
  /** Present after a wrong code. */
  attempts_remaining?: number;
  /**
   * With `attempts_remaining: 0`: the seconds until another code can be sent and tried, 0 if one can be sent now. Absent if
   * no more codes can be sent for the challenge.
   */
  resend_after_seconds?: number;
}

export interface ChallengeDevices {
  data: Device[];
}

export interface DeviceHash {
  device_id: string;
  /** The device's newest fingerprint. */
  hash: string;
}

/** The response to consuming an evaluation. */
export interface ConsumeResponse extends EvaluationRecord, WithWarnings {}

/** The response to updating a user: the user. */
export interface UpdateUserResponse extends User, WithWarnings {}

/** The response to importing users: one result for each user, in the order of the request. */
export interface ImportUsersResponse extends WithWarnings {
  results: ImportResult[];
}

/** The result of one row of an import. */
export interface ImportResult {
  /** The ID in the row, or an empty string if it has none. */
  id: string;
  status: 'created' | 'updated' | 'unchanged' | 'failed';
  /** With `failed`: why nothing of the row was stored. With another status: what was left out. */
  errors?: { path: string; message: string }[];
}
