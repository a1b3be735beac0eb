import type {
  Action,
  ChallengeStatus,
  Channel,
  DeviceKind,
  DeviceStatus,
  FeedbackLabel,
  MatchedBy,
  Metadata,
  ProofOutcome,
  Reason,
  Strength,
  Timestamp,
  UserStatus,
  Verdict,
} from './vocabulary.js';

/** One page of a list (interface specification, part 2). */
export interface Page<Item> {
  data: Item[];
  page: number;
  limit: number;
  /** How many match in all. */
  total: number;
}

/** The user of a challenge, in short. */
export interface UserSummary {
  _id: string;
  /** The customer's own account identifier. */
  external_id: string;
  /** Masked: `j***@e******.com`. Absent where there is none. */
  email?: string;
  /** Masked: all but the last two digits. */
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

/** A challenge as a list shows it. */
export interface ChallengeSummary {
  _id: string;
  user: UserSummary;
  status: ChallengeStatus;
  reasons: Reason[];
  createdAt: Timestamp;
}

/** A challenge (specification 2; docs/challenges.md draws its states). */
export interface Challenge extends ChallengeSummary {
  limit: DeviceLimit;
  /** The channels on which the user has an address and the service can send. Empty: no code can be sent to the user. */
  channels: Channel[];
  action: Action;
  device_id?: string;
  ip?: string;
  sent_at?: Timestamp;
  verified_at?: Timestamp;
  completed_at?: Timestamp;
  expires_at: Timestamp;
}

/** What is known of a device from its fingerprint. */
export interface DeviceInfo {
  kind: DeviceKind;
  os: string;
  browser: string;
  browser_version?: number;
  /** For people: `Chromium 156 on Linux`. */
  label: string;
}

/** A mobile, tablet or desktop computer associated with a user (specification 2). */
export interface Device {
  _id: string;
  /** The `_id` of the user that it belongs to. */
  user: string;
  /** The customer's own identifier of that user. */
  external_user: string;
  project: string;
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
  /** Holds a key. */
  proven: boolean;
  /** Trusted by the customer for good. */
  whitelisted: boolean;
  /** Made with a test key. */
  dev: boolean;
  last_seen_at: Timestamp;
  last_ip?: string;
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

/** One reason with what it rests on. */
export interface ReasonEvidence {
  reason: Reason;
  /** Absent where the reason does not rest on two evaluations being of one device. */
  strength?: Strength;
  /** What was seen, by name: counts, ids, names of facets. No personal data. */
  evidence: Record<string, unknown>;
}

/** An evaluation as recorded. */
export interface EvaluationRecord {
  evaluation_id: string;
  action: Action;
  /** The customer's identifier of the user, as the request had it. */
  user: string;
  /** The `_id` of the user; absent while there is none. */
  user_id?: string;
  fingerprint: string;
  last_fingerprint?: string;
  version?: string;
  ip?: string;
  /** Masked. */
  email?: string;
  /** Masked. */
  phone?: string;
  user_agent?: string;
  metadata: Metadata;
  verdict: Verdict;
  observed_verdict?: Verdict;
  reasons: Reason[];
  evidence: ReasonEvidence[];
  fingerprint_id: string;
  device_id?: string;
  /** In the answer to consuming alone, unless the verdict is `deny`: lets the page of this device hear of its detachment. */
  device_token?: string;
  challenge_id?: string;
  /** In the answer to consuming alone: the address of the managed challenge page, where it is switched on; good once. */
  challenge_url?: string;
  confidence: number;
  matched_by: MatchedBy;
  changed: string[];
  /** Made with a publishable key: what it says is a claim until it is consumed. */
  claimed: boolean;
  /** What came of the request's proof; absent where it had none. */
  proof?: ProofOutcome;
  consumed_at?: Timestamp;
  feedback?: { label: FeedbackLabel; note?: string };
  createdAt: Timestamp;
}

/** One row of the access history. */
export interface Access {
  _id: string;
  /** The `_id` of the user; absent where it was refused before it was known. */
  user?: string;
  /** The customer's own identifier of the user. */
  external_user: string;
  /** The id of the device; absent where it was not allowed to become one. */
  device?: string;
  action: Action;
  verdict: Verdict;
  reasons: Reason[];
  ip?: string;
  createdAt: Timestamp;
}
