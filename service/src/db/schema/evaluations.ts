import type { Generated } from 'kysely';
import type {
  ChallengeStatus,
  Channel,
  FeedbackLabel,
  MatchedBy,
  ProofOutcome,
  Reason,
  ReasonEvidence,
  Verdict,
} from 'whorl/wire';
import type { Bytes, Json, OptionalBytes, OptionalTime, Time } from './columns.js';

/** Every evaluation; also the access history. */
export interface EvaluationTable {
  id: string;
  world_id: string;
  user_id: string | null;
  external_user: string;
  device_id: string | null;
  identity_id: string;
  variant_id: string;
  action: string;
  verdict: Verdict;
  observed_verdict: Verdict | null;
  reasons: Json<Reason[]>;
  findings: Json<ReasonEvidence[]>;
  /** What was asked, sealed: it holds personal data. */
  request: Bytes;
  ip: string | null;
  network: string | null;
  confidence: number;
  matched_by: MatchedBy;
  changed: Json<string[]>;
  challenge_id: string | null;
  /** Whether a publishable key made it. It is here since the secret key consumed it. */
  claimed: boolean;
  /** What came of the proof; null where there was none. */
  proof: ProofOutcome | null;
  /** The key that was proved. */
  key_thumbprint: string | null;
  consumed_at: OptionalTime;
  feedback_label: FeedbackLabel | null;
  feedback_note: string | null;
  /** Keyed hash of the user whom the request names as referrer, by which it is found when that user is erased. */
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
  variant_id: string;
  action: string;
  ip: string | null;
  network: string | null;
  /** The key that the challenged evaluation proved: the device's, when this is completed. */
  key_thumbprint: string | null;
  reasons: Json<Reason[]>;
  /** The user's count of revocations when the challenge was created: see UserTable. */
  revocations: Generated<number>;
  status: ChallengeStatus;
  code_hash: OptionalBytes;
  code_channel: Channel | null;
  code_expires_at: OptionalTime;
  code_tries: Generated<number>;
  sends: Generated<number>;
  /** Until when the sending of a code is given time; null while none is on its way. */
  sending_until: OptionalTime;
  sent_at: OptionalTime;
  opened_at: OptionalTime;
  verified_at: OptionalTime;
  completed_at: OptionalTime;
  expires_at: Time;
  created_at: Time;
}

/**
 * What a publishable key sent, for a day: it takes effect when the secret key consumes it, or when its challenge is
 * taken up. It is never joined with the user that it names.
 */
export interface ClaimTable {
  world_id: string;
  /** The id of the evaluation: a UUID version 7, which holds the time. */
  id: string;
  /** Blind index of the user's name, for erasure and export. */
  user_index: Bytes;
  /** The request and what came of it, sealed. Empty where the user was erased. */
  content: Bytes;
  /** Null where the verdict asks for no challenge. */
  challenge_id: string | null;
  /** Hash of what makes two challenges the same: user, browser, action, address and key. */
  same_challenge: string | null;
  /** `superseded`: the user was erased. `skipped`: its challenge was, with the secret key. */
  status: Generated<ClaimStatus>;
}

export type ClaimStatus = 'open' | 'skipped' | 'superseded';

/** A person's visit to the managed challenge page, which began with a link. */
export interface ChallengeVisitTable {
  id: string;
  world_id: string;
  challenge_id: string;
  /** Of the link's token: it is used up. */
  link_hash: Bytes;
  /** Of the cookie. */
  session_hash: Bytes;
  /** Whether a publishable key asked for the link. */
  claimed: boolean;
  /** Where the person goes in the end, sealed. */
  return_url: OptionalBytes;
  /** How often the person asked for a code here, and when last. */
  asks: Generated<number>;
  asked_at: OptionalTime;
  /** With a claim: keyed hash of the code sent last, and how often one was tried against it. */
  code_hash: OptionalBytes;
  tries: Generated<number>;
  /** When a right code was entered here. */
  verified_at: OptionalTime;
  /** What came of the last step, and until when something has to wait. */
  notice: string | null;
  notice_until: OptionalTime;
  created_at: Time;
  /** When the visit is over. */
  expires_at: Time;
}

/** How often something was done in one window of time. */
export interface CounterTable {
  world_id: string;
  name: string;
  subject: string;
  window_start: Time;
  count: number;
}

export interface IdempotencyTable {
  world_id: string;
  key_id: string;
  route: string;
  idempotency_key: string;
  body_mark: Bytes;
  /** Null while the request is in flight. */
  status: number | null;
  answer: OptionalBytes;
  created_at: Time;
}
