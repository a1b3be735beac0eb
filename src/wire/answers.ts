import type { Device, DeviceLimit, EvaluationRecord, User } from './resources.js';
import type { Action, Channel, MatchedBy, Reason, Timestamp, Verdict } from './vocabulary.js';

/** Something in a request that was accepted, and is probably a mistake: a misspelt field, an unreadable address. */
export interface RequestWarning {
  /** The field, or where one is missing. */
  path: string;
  message: string;
}

/** What answers to test keys have beside their other fields, and answers to live keys never do. */
export interface WithWarnings {
  /** Present with test keys alone, and then always; empty where there is nothing to say. */
  warnings?: RequestWarning[];
}

/** What an evaluation answers to a secret key (specification 4.4). */
export interface Evaluation extends WithWarnings {
  verdict: Verdict;
  fingerprint_id: string;
  reasons: Reason[];
  /** With `challenge` and `challenge_and_restrict`. */
  challenge_id?: string;
  /** With a challenge, where the project has its managed challenge page switched on: that page's address, good once. */
  challenge_url?: string;
  evaluation_id: string;
  /** The `_id` of the user. Absent where the verdict is `deny` and the user was not known. */
  user_id?: string;
  /** Absent where the verdict is `deny` and the device was not known. */
  device_id?: string;
  /** Lets the page of this device hear of its detachment. Absent where the verdict is `deny`. */
  device_token?: string;
  /** The probability, 0 to 1, that this is the device of `fingerprint_id`. */
  confidence: number;
  matched_by: MatchedBy;
  /** The facets that changed since the variant it was matched with. */
  changed: string[];
  /** In observe mode: the verdict that would have been given. */
  observed_verdict?: Verdict;
}

/** What an evaluation answers to a publishable key: a claim, until the secret key consumes it. */
export interface ClaimedEvaluation extends WithWarnings {
  evaluation_id: string;
  verdict: Verdict;
  fingerprint_id: string;
  challenge_id?: string;
  /** With a challenge, where the project has its managed challenge page switched on: that page's address, good once. */
  challenge_url?: string;
  /** A signed JSON Web Token, valid for 5 minutes (docs/evaluate.md). */
  token: string;
}

/** What the token of a claimed evaluation says (RFC 7519): a hint, until the evaluation is consumed. */
export interface TokenPayload {
  /** The service's base address. */
  iss: string;
  /** The id of the project. */
  aud: string;
  /** When it ends, in seconds since 1970: 5 minutes after `iat`. */
  exp: number;
  /** When it was made, in seconds since 1970. */
  iat: number;
  /** The id of the evaluation. */
  jti: string;
  /** The customer's identifier of the user, as the page gave it. */
  user: string;
  action: Action;
  fingerprint_id: string;
  verdict: Verdict;
}

export interface FingerprintAnswer {
  fingerprint_id: string;
  confidence: number;
  matched_by: MatchedBy;
  changed: string[];
}

export interface NonceAnswer {
  /** What `getProof` is called with. Good for one evaluation or attachment of this project and world. */
  nonce: string;
  /** After 5 minutes. */
  expires_at: Timestamp;
}

export interface AttachAnswer extends WithWarnings {
  success: boolean;
  /** The `_id` of the user. */
  user_id: string;
  device_id: string;
  fingerprint_id: string;
  attached_devices: number;
  limit: DeviceLimit;
  challenge_id?: string;
  /** With a challenge, where the project has its managed challenge page switched on: that page's address, good once. */
  challenge_url?: string;
  device_token: string;
}

export interface Success {
  success: boolean;
}

export interface DeviceSuccess extends Success {
  device: Device;
}

export interface SendAnswer {
  challenge_id: string;
  channel: Channel;
  /** Masked. */
  sent_to: string;
  expires_at: Timestamp;
}

export interface VerifyAnswer extends Success {
  /** With a wrong code. */
  attempts_remaining?: number;
}

export interface ChallengeDevices {
  data: Device[];
}

export interface DeviceHash {
  device_id: string;
  /** The device's newest fingerprint. */
  hash: string;
}

/** What consuming an evaluation answers. */
export interface ConsumeAnswer extends EvaluationRecord, WithWarnings {}

/** What updating a user answers: the user. */
export interface UpdateUserAnswer extends User, WithWarnings {}

/** What importing users answers: one result for each user, in the order of the request. */
export interface ImportUsersAnswer extends WithWarnings {
  results: ImportResult[];
}

/** What became of one row of an import. */
export interface ImportResult {
  /** As the row has it; empty where it has none. */
  id: string;
  status: 'created' | 'updated' | 'unchanged' | 'failed';
  /** With `failed`: why nothing of the row was stored. With another status: what was left out of it. */
  errors?: { path: string; message: string }[];
}
