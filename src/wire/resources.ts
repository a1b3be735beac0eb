import type {
  Action,
  AddressKind,
  ChallengeStatus,
  Channel,
  DeclaredAgent,
  DeviceKind,
  DeviceStatus,
  Excuse,
  FeedbackLabel,
  MatchedBy,
  Metadata,
  Outcome,
  ProofOutcome,
  Reason,
  RiskFact,
  RuleEffect,
  Strength,
  Timestamp,
  UserStatus,
  Verdict,
} from './vocabulary.js';

/** One page of a list (docs/api.md). */
export interface Page<Item> {
  data: Item[];
  page: number;
  limit: number;
  /** The number of all matching records. */
  total: number;
}

/** One page of a list that continues at a cursor (docs/api.md). It can be shorter than `limit`, or empty. */
export interface CursorPage<Item> {
  data: Item[];
  /** Where the next page begins. Absent on the last page. */
  next_cursor?: string;
}

/** The summary of a challenge's user. */
export interface UserSummary {
  _id: string;
  /** The customer's own account identifier. */
  external_id: string;
  /** Masked: `j***@e******.com`. Absent if the user has none. */
  email?: string;
  /** Masked: all but the last two digits. Absent if the user has none. */
  phone?: string;
}

/** How many devices of a user count towards the project's limits. */
export interface DeviceLimit {
  is_exceeded: boolean;
  overall: number;
  mobile: number;
  tablet: number;
  desktop: number;
}

/** A challenge in a list. */
export interface ChallengeSummary {
  _id: string;
  user: UserSummary;
  status: ChallengeStatus;
  reasons: Reason[];
  /** The tags that rules put on the evaluation which created it. Absent if there are none. */
  tags?: string[];
  createdAt: Timestamp;
}

/** A challenge (docs/challenges.md shows its states). */
export interface Challenge extends ChallengeSummary {
  limit: DeviceLimit;
  /**
   * The channels for which the user has an address and the service can send. If empty, no code can be sent to the user,
   * or the user has a factor of your application (`methods`, with the setting `prefer_own_factor`).
   */
  channels: Channel[];
  action: Action;
  device_id?: string;
  ip?: string;
  sent_at?: Timestamp;
  verified_at?: Timestamp;
  completed_at?: Timestamp;
  /**
   * How the user was verified: the channel of the code, or the `method` that your application completed the challenge
   * with. Null if neither is known.
   */
  verified_by: string | null;
  expires_at: Timestamp;
}

/** Information about a device, from its fingerprint. */
export interface DeviceInfo {
  kind: DeviceKind;
  os: string;
  browser: string;
  browser_version?: number;
  /** A display name, such as `Chromium 156 on Linux`. */
  label: string;
}

/** The hardware of a fingerprint. Only with the setting `hardware_id`, and if enough facets could be read. */
export interface HardwareInfo {
  /** The same for all devices of the project with the same system, browser family and hardware facets. */
  hardware_id?: string;
  /** The number of devices that were recorded with this hardware. Deleted devices are included. */
  hardware_devices?: number;
}

/** A mobile, tablet or desktop computer of a user (docs/api.md). */
export interface Device extends HardwareInfo {
  _id: string;
  /** The `_id` of the device's user. */
  user: string;
  /** The customer's own identifier of that user. */
  external_user: string;
  project: string;
  /** The user's own name for it. */
  name?: string;
  info: DeviceInfo;
  status: DeviceStatus;
  metadata: Metadata;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  __v: number;
  auto_detached: boolean;
  detached_at?: Timestamp;
  fingerprint_id: string;
  trusted: boolean;
  /** Whether the device holds a key. */
  proven: boolean;
  /** Whether the customer trusts the device permanently. */
  whitelisted: boolean;
  /** Whether the device was created with a test key. */
  dev: boolean;
  last_seen_at: Timestamp;
  last_ip?: string;
  /** Where `last_ip` is, as far as it is known. In lists of a user's devices only. */
  last_place?: Place;
}

/** A place, as far as it is known. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  country?: string;
  region?: string;
  city?: string;
}

/** A user: one account of the customer's application. */
export interface User {
  _id: string;
  external_id: string;
  /** Masked. */
  email?: string;
  /** Masked. */
  phone?: string;
  metadata: Metadata;
  status: UserStatus;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/**
 * What the service's databases and lists say about an IP address. A fact that is not known is absent, and is evidence of
 * nothing.
 */
export interface AddressInfo {
  /** ISO 3166-1 alpha-2. */
  country?: string;
  region?: string;
  city?: string;
  /** In degrees. Always together with `longitude`. */
  latitude?: number;
  longitude?: number;
  /** The radius around the coordinates in which the address probably is, in kilometres. */
  accuracy_km?: number;
  /** The number of the autonomous system that announces the address (RFC 1930). */
  asn?: number;
  /** The organisation that operates this autonomous system. */
  organisation?: string;
  kind?: AddressKind;
  /** The database or list that each fact comes from. */
  sources: AddressSources;
}

export interface AddressSources {
  country?: string;
  /** The source of region, city, coordinates and accuracy. */
  location?: string;
  /** The source of `asn` and `organisation`. */
  asn?: string;
  kind?: string;
}

/** A reason with its evidence. */
export interface ReasonEvidence {
  reason: Reason;
  /** Absent if the reason does not depend on two evaluations coming from one device. */
  strength?: Strength;
  /** The observed facts by name: counts, IDs, names of facets. No personal data. */
  evidence: Record<string, unknown>;
}

/** The cell of the policy table by which a reason was judged (docs/verdicts.md). */
export interface PolicyCell {
  /** The column of the action. Actions without a column are judged as `login`. */
  action: 'login' | 'signup' | 'referral';
  /** The condition under which the cell has this effect, such as `proven, 3 or more`. Absent if it always has. */
  condition?: string;
  /** Whether the project replaced the cell with its setting `policy`. */
  overridden: boolean;
}

/** A reason with an effect that is stricter than reporting. */
export interface EffectiveReason {
  reason: Reason;
  effect: Exclude<Verdict, 'allow'>;
  policy: PolicyCell;
  /** Name of the rule. Only for the reason `rule`. */
  rule?: string;
}

/** A reason whose effect was made milder. */
export interface ExcusedReason extends Omit<EffectiveReason, 'effect'> {
  /** What the policy says, or the rule. In `reasons` is what was left of it. */
  effect: RuleEffect;
  /** Everything that made it milder. */
  excused_by: Excuse[];
}

/** Why an evaluation has its verdict. Reasons that the policy only reports are not included. */
export interface DecidedBy {
  /** The reasons that decided the verdict, with the effect of each. Empty if it is `allow`. */
  reasons: EffectiveReason[];
  /** Reasons that did not matter, because another one denied the action. */
  outweighed: EffectiveReason[];
  /** Reasons that the policy would have enforced, or enforced more strictly. */
  excused: ExcusedReason[];
}

/** One fact's part of a risk score. */
export interface RiskContribution {
  fact: RiskFact;
  /** The evidence in bits, rounded to two decimals. Positive bits are evidence of an attack: each doubles the odds. */
  bits: number;
  /** What was found, as a sentence without personal data. */
  text: string;
}

/** How probable it is that an action is not what it seems, and why (docs/risk.md). */
export interface Risk {
  /**
   * A probability in per cent, 0 to 100, rounded to two decimals. Logins: that the person is not the account's owner.
   * `signup` and `referral`: that the account is not wanted.
   */
  score: number;
  /** The sum of all contributions, the logarithm of the odds: `score = 100 / (1 + 2^-bits)`. Sort by it: scores near 0 look the same. */
  bits: number;
  contributions: RiskContribution[];
}

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

/** One row of the access history. */
export interface Access {
  _id: string;
  /** The `_id` of the user. Absent if the access was denied before the user was known. */
  user?: string;
  /** The customer's own identifier of the user. Absent for a failed attempt of a user that did not exist. */
  external_user?: string;
  /** The ID of the device. Absent if the access was denied before the device was known. */
  device?: string;
  action: Action;
  verdict: Verdict;
  reasons: Reason[];
  ip?: string;
  createdAt: Timestamp;
}
