import type { ColumnType, Generated } from 'kysely';
import type {
  ChallengeStatus,
  Channel,
  FeedbackLabel,
  MatchedBy,
  Outcome,
  ProofOutcome,
  Reason,
  ReasonEvidence,
  Verdict,
} from 'whorl/wire';
import type { CountedKind, Decision, StoredAddress } from '../../vocabulary.js';
import type { Bytes, Json, OptionalBytes, OptionalJson, OptionalText, OptionalTime, Time } from './columns.js';

/** Evaluations, which are also the access history. */
export interface EvaluationTable {
  id: string;
  world_id: string;
  user_id: string | null;
  /** Null for a failed attempt of a user that did not exist. */
  external_user: string | null;
  /** In that case, the blind index of the name. */
  user_index: OptionalBytes;
  device_id: string | null;
  identity_id: string;
  /** Null for a failed attempt with a fingerprint that is not stored. */
  variant_id: string | null;
  action: string;
  outcome: Generated<Outcome>;
  verdict: Verdict;
  observed_verdict: Verdict | null;
  /** In observe mode, the verdict with the other value of `judge_by`. */
  alternative_verdict: Verdict | null;
  /** JSON: see stored-risk.ts. As text, it takes half the bytes of `jsonb`. */
  risk: OptionalText;
  /** `score` of `risk`, for thresholds that are a share of logins. */
  risk_score: number | null;
  reasons: Json<Reason[]>;
  findings: Json<ReasonEvidence[]>;
  /** Null if `rule_basis` has all of them, and in evaluations of older versions. */
  decisions: OptionalJson<Decision[]>;
  /** Tags that rules put on it. Null if there are none. */
  tags: OptionalJson<string[]>;
  /** What verdicts of rules depend on: see rule-basis.ts. Null in evaluations of older versions. */
  rule_basis: OptionalText;
  /** Request, sealed because it contains personal data. */
  request: Bytes;
  ip: string | null;
  network: string | null;
  /** What was known about the address; null if nothing was. */
  address: OptionalJson<StoredAddress>;
  confidence: number;
  matched_by: MatchedBy;
  changed: Json<string[]>;
  challenge_id: string | null;
  /** Whether it was allowed, or its challenge completed: part of the history that later evaluations compare with. */
  accepted: boolean;
  /** Whether it was created with a publishable key and then consumed with the secret key. */
  claimed: boolean;
  /** Outcome of checking the proof; null if there was none. */
  proof: ProofOutcome | null;
  /** Thumbprint of the proven key. */
  key_thumbprint: string | null;
  consumed_at: OptionalTime;
  feedback_label: FeedbackLabel | null;
  feedback_note: string | null;
  /** Blind index of the user named as referrer, for erasure of that user. */
  referrer_mark: OptionalBytes;
  created_at: Time;
}

export interface ChallengeTable {
  id: string;
  world_id: string;
  user_id: string | null;
  external_user: string;
  device_id: string | null;
  identity_id: string;
  /** Null if the challenged request had no fingerprint. There is then no device either. */
  variant_id: string | null;
  action: string;
  ip: string | null;
  network: string | null;
  /** Thumbprint of the key proven by the challenged evaluation. It is added to the device when the challenge is completed. */
  key_thumbprint: string | null;
  reasons: Json<Reason[]>;
  /** Tags of the evaluation that created it. Null if there are none. */
  tags: OptionalJson<string[]>;
  /**
   * The factors that the application has for the user. Null if only a page has requested the challenge: a page's word is
   * not enough.
   */
  methods: ColumnType<string[] | null, string | null | undefined, string | null>;
  /** The user's `revocations` when the challenge was created: see UserTable. */
  revocations: Generated<number>;
  status: ChallengeStatus;
  code_hash: OptionalBytes;
  code_channel: Channel | null;
  code_expires_at: OptionalTime;
  code_tries: Generated<number>;
  sends: Generated<number>;
  /** Deadline for the code that is being sent; null if none is. */
  sending_until: OptionalTime;
  sent_at: OptionalTime;
  opened_at: OptionalTime;
  verified_at: OptionalTime;
  /** Channel of the verified code, or the application's own method. */
  verified_by: OptionalText;
  completed_at: OptionalTime;
  /** Time when a browser without a readable fingerprint used the completed challenge. */
  redeemed_at: OptionalTime;
  expires_at: Time;
  created_at: Time;
}

/**
 * Evaluations with a publishable key, stored for a day. A claim takes effect when the secret key consumes it, or when its
 * challenge is started. It is never joined with the user that it names.
 */
export interface ClaimTable {
  world_id: string;
  /** ID of the evaluation: a UUID version 7, which contains the time. */
  id: string;
  /** Blind index of the user ID, for erasure and export. */
  user_index: Bytes;
  /** Request and result, sealed. Empty if the user was erased. */
  content: Bytes;
  /** Null if the verdict requires no challenge. */
  challenge_id: string | null;
  /** Keyed hash of the values that identify a repeated challenge: user, browser, action, address and key. */
  same_challenge: string | null;
  /** `superseded`: the user was erased. `skipped`: its challenge was skipped with the secret key. */
  status: Generated<ClaimStatus>;
}

export type ClaimStatus = 'open' | 'skipped' | 'superseded';

/** Visits to the managed challenge page, each started by a link. */
export interface ChallengeVisitTable {
  id: string;
  world_id: string;
  challenge_id: string;
  /** Hash of the token of the used link. */
  link_hash: Bytes;
  /** Hash of the cookie's value. */
  session_hash: Bytes;
  /**
   * Comparison with the browser that began the challenge: `same`, `ask`, `confirmed` (by the visitor, after `ask`) or
   * `other`. Null until it is compared.
   */
  browser: string | null;
  /** Whether the link was requested with a publishable key. */
  claimed: boolean;
  /** URL to redirect to at the end, sealed. */
  return_url: OptionalBytes;
  /** Number of codes requested during the visit, and time of the last request. */
  asks: Generated<number>;
  asked_at: OptionalTime;
  /** For claims: keyed hash of the last code, and number of attempts to enter it. */
  code_hash: OptionalBytes;
  tries: Generated<number>;
  /** Time when the correct code was entered. */
  verified_at: OptionalTime;
  /** Result of the last step, and end of a waiting time. */
  notice: string | null;
  notice_until: OptionalTime;
  created_at: Time;
  /** End of the visit. */
  expires_at: Time;
}

/** Counts per time window. */
export interface CounterTable {
  world_id: string;
  name: string;
  subject: string;
  window_start: Time;
  count: number;
}

/** Counts of one subject in one slot: see velocity/rules. */
export interface VelocityCountTable {
  world_id: string;
  kind: CountedKind;
  /** Blind index, cut to 16 bytes; for a device, the ID of its identity. */
  subject: Bytes;
  slot: Time;
  /** 0; -1: merged rows of an hour. */
  shard: number;
  evaluations: number;
  failures: number;
  signups: number;
  users: OptionalText;
  failed_users: OptionalText;
  devices: OptionalText;
  countries: OptionalText;
}

/** The last batch of counts that a process has stored: see velocity/count.ts. */
export interface VelocityBatchTable {
  world_id: string;
  process: string;
  batch: number;
  at: Time;
}

/** A project's usual number of unfamiliar failures: see velocity/rules/baseline.ts. */
export interface FailureBaselineTable {
  world_id: string;
  started_at: Time;
  updated_at: Time;
  per_hour: number;
  excess: number;
  rising_since: Time;
  failures: number;
  /** Four bytes for each. */
  networks: Bytes;
}

export interface IdempotencyTable {
  world_id: string;
  key_id: string;
  route: string;
  idempotency_key: string;
  body_mark: Bytes;
  /** Null while the request is in flight. */
  status: number | null;
  response: OptionalBytes;
  created_at: Time;
}
