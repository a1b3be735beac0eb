import type { AddressInfo } from './addresses.js';
import type { HardwareInfo } from './devices.js';
import type { DecidedBy, ReasonEvidence, Risk } from './judgement.js';
import type { CursorQuery } from './paging.js';
import type { Reason } from './reasons.js';
import type { WithWarnings } from './response-parts.js';
import type {
  Action,
  AddressKind,
  ChallengeStatus,
  DeclaredAgent,
  FeedbackLabel,
  MatchedBy,
  Metadata,
  Outcome,
  ProofOutcome,
  Timestamp,
  Verdict,
} from './vocabulary.js';

/** A recorded evaluation. */
export interface EvaluationRecord extends HardwareInfo {
  evaluation_id: string;
  action: Action;
  /**
   * The customer's identifier of the user, as in the request. Absent for a failed attempt of a user that did not exist:
   * the name is then stored only as a keyed hash.
   */
  user?: string;
  /** The `_id` of the user. Absent until the user exists. */
  user_id?: string;
  /** Absent if the request had none. */
  fingerprint?: string;
  last_fingerprint?: string;
  version?: string;
  ip?: string;
  /** What was known about `ip` when it was evaluated. Absent if nothing was known. */
  address?: AddressInfo;
  /** Masked. */
  email?: string;
  /** Masked. */
  phone?: string;
  user_agent?: string;
  /** The agent that declared itself, as in the request. */
  agent?: DeclaredAgent;
  /** The factors of the application for this user, as in the request. */
  methods?: string[];
  metadata: Metadata;
  /** Whether the action passed the application's own checks. */
  outcome: Outcome;
  verdict: Verdict;
  observed_verdict?: Verdict;
  /** In observe mode: what the verdict would have been with the other value of `judge_by`. */
  alternative_verdict?: Verdict;
  /** Absent for an evaluation with a publishable key until it is consumed. */
  risk?: Risk;
  reasons: Reason[];
  /** Why it has this verdict. Absent if it was recorded by a version of the service that did not store it. */
  decided_by?: DecidedBy;
  evidence: ReasonEvidence[];
  /** The tags that rules put on it (docs/rules.md). Absent if there are none. */
  tags?: string[];
  fingerprint_id: string;
  /**
   * The number of users with this hardware who were seen at this network in the last 24 hours, at most 100. Only in the
   * response to consuming the evaluation.
   */
  hardware_users_today_at_network?: number;
  device_id?: string;
  /**
   * Only in the response to consuming, unless the verdict is `deny`: lets the page of this device receive its
   * detachment.
   */
  device_token?: string;
  challenge_id?: string;
  /** Only in the response to consuming: the URL of the managed challenge page if it is enabled, valid once. */
  challenge_url?: string;
  confidence: number;
  matched_by: MatchedBy;
  changed: string[];
  /** Whether it was created with a publishable key. It is a claim until it is consumed. */
  claimed: boolean;
  /** The result of checking the request's proof. Absent if the request had none. */
  proof?: ProofOutcome;
  consumed_at?: Timestamp;
  feedback?: { label: FeedbackLabel; note?: string };
  createdAt: Timestamp;
}

/** GET /v2/evaluations (docs/api.md). An evaluation must match all filters. */
export interface EvaluationsQuery extends CursorQuery {
  verdict?: Verdict;
  reason?: Reason;
  action?: string;
  outcome?: Outcome;
  /** The customer's identifier of the user. */
  user?: string;
  user_id?: string;
  device_id?: string;
  fingerprint_id?: string;
  /** Only if the project uses `hardware_id`. */
  hardware_id?: string;
  /** An IP address, or a range such as `198.51.100.0/24`. */
  ip?: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  /** The number of an autonomous system. */
  asn?: string;
  address_kind?: AddressKind;
  /** The lowest `risk.score`. */
  min_score?: number;
  /** `risk.score` is lower. */
  below_score?: number;
  label?: FeedbackLabel | 'none';
  /** The status of its challenge. */
  challenge?: ChallengeStatus | 'none';
  matched_by?: MatchedBy;
  /** The name of a rule that matched it. */
  rule?: string;
  /** A tag that a rule put on it. */
  tag?: string;
  start_date?: Timestamp;
  end_date?: Timestamp;
}

/** POST /v2/evaluations/:id/consume. */
export interface ConsumeRequest {
  /** The user that your server has authenticated. It must be the one that the evaluation was made for. */
  user: string;
  /** The action that your server is about to carry out. It must be the one that the evaluation was made for. */
  action: Action;
  /**
   * The user's email address from your own records. Saved if the user has none. Contacts that a page sends are never
   * saved.
   */
  email?: string;
  phone?: string;
  /** Replaces the metadata that the page sent. */
  metadata?: Metadata;
  /** The result of `verifyAgent` for the request in which the page sent the token (docs/agents.md). */
  agent?: DeclaredAgent;
  /** As in `evaluate`. An evaluation that your server made keeps its own. */
  methods?: string[];
  /**
   * Default `succeeded`. `failed`: your own checks rejected the action. The attempt is then counted, and has no other
   * effect. An attempt that the page reported as failed can only be consumed as failed.
   */
  outcome?: Outcome;
}

/** The response to consuming an evaluation. */
export interface ConsumeResponse extends EvaluationRecord, WithWarnings {}

export interface FeedbackRequest {
  label: FeedbackLabel;
  note?: string;
}
