import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type {
  ChallengeStatus,
  Channel,
  DeviceInfo,
  DeviceKind,
  DeviceStatus,
  EndCause,
  FeedbackLabel,
  MatchedBy,
  Metadata,
  ProofOutcome,
  Reason,
  ReasonEvidence,
  UserStatus,
  Verdict,
} from 'whorl/wire';
import type { WebhookFailure } from '../domain/webhooks/next-step.js';

/** JSON that is written as text and read as what it is. */
type Json<Value extends object> = JSONColumnType<Value>;
/** Written as a time, read as one; never left to the database's clock. */
type Time = ColumnType<Date, Date, Date>;
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;
/** Sealed, hashed or marked: see secrets/. */
type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>;
type OptionalBytes = ColumnType<Uint8Array | null, Uint8Array | null | undefined, Uint8Array | null>;

/** Which keys see a row: those of the live world, or those of the test world. */
export type WorldMode = 'live' | 'test';

export interface ProjectTable {
  id: string;
  name: string;
  /** What the project set; defaults are not stored. */
  settings: Json<Record<string, unknown>>;
  /** The private key that browser tokens are signed with, sealed. */
  signing_key: Bytes;
  /** Its public half, as a JSON Web Key. */
  signing_public: Json<Record<string, unknown>>;
  created_at: Time;
}

/** A project's live or test half. Every other row belongs to one of them, and every query is scoped to it. */
export interface WorldTable {
  id: string;
  project_id: string;
  mode: WorldMode;
}

export interface ApiKeyTable {
  id: string;
  world_id: string;
  kind: 'secret' | 'publishable';
  hash: Bytes;
  /** The last characters, by which a person tells keys apart. */
  hint: string;
  created_at: Time;
  /** Set when the key is rotated out. */
  expires_at: OptionalTime;
}

export interface UserTable {
  id: string;
  world_id: string;
  external_id: string;
  email: OptionalBytes;
  email_mark: OptionalBytes;
  phone: OptionalBytes;
  phone_mark: OptionalBytes;
  metadata: Json<Metadata>;
  status: UserStatus;
  created_at: Time;
  updated_at: Time;
}

/** Where a user was seen, and until when it is trusted there. */
export interface UserAddressTable {
  user_id: string;
  world_id: string;
  network: string;
  seen_at: Time;
  trusted_until: OptionalTime;
}

/** One physical browser as the service knows it: `fingerprint_id`. */
export interface IdentityTable {
  id: string;
  world_id: string;
  /** The identity that this one turned out to be. */
  merged_into: string | null;
  created_at: Time;
}

/** One fingerprint of an identity. */
export interface VariantTable {
  id: string;
  world_id: string;
  identity_id: string;
  digest: Bytes;
  fingerprint: string;
  /** Descriptor and hardware facets, by which candidates are found; null where the text is not ours. */
  hardware_key: string | null;
  /** Hashes of other groups of facets, for the same: see domain/linking/group-keys.ts. */
  software_key: string | null;
  frame_key: string | null;
  settled_key: string | null;
  /** Seen with a publishable key only: it takes part in nothing but exact matches. */
  claimed: boolean;
  first_seen_at: Time;
  last_seen_at: Time;
}

/** The tie of a user to an identity. */
export interface DeviceTable {
  id: string;
  world_id: string;
  user_id: string;
  identity_id: string;
  status: DeviceStatus;
  kind: DeviceKind;
  info: Json<DeviceInfo>;
  metadata: Json<Metadata>;
  trusted: boolean;
  whitelisted: boolean;
  auto_detached: boolean;
  /** Whether it holds a key that is not revoked. */
  proven: Generated<boolean>;
  /** The newest fingerprint. */
  variant_id: string;
  last_ip: string | null;
  last_network: string | null;
  last_seen_at: Time;
  created_at: Time;
  updated_at: Time;
  detached_at: OptionalTime;
  /** When it was last detached or blocked, or its user suspended; this stays when it comes back. */
  ended_at: OptionalTime;
  end_cause: ColumnType<EndCause | null, EndCause | null | undefined, EndCause | null>;
  revision: Generated<number>;
  /** The user's device that this one turned out to be: it answers in its place. */
  merged_into: string | null;
}

/** An identity that turned out to be another: who, when, and by what. */
export interface IdentityMergeTable {
  from_identity: string;
  into_identity: string;
  world_id: string;
  /** `last`: a known fingerprint came with a saved one that was known as another identity's. */
  cause: 'last';
  confidence: number;
  variant_id: string;
  last_variant_id: string;
  created_at: Time;
}

/** The fingerprints with which a device was allowed, or completed a challenge: what its trust covers. */
export interface DeviceVariantTable {
  device_id: string;
  variant_id: string;
}

/** The keys that a device was allowed with, or completed a challenge with. */
export interface DeviceKeyTable {
  device_id: string;
  world_id: string;
  /** RFC 7638. */
  thumbprint: string;
  created_at: Time;
  /** Since when it counts no more for the device's trust; it tells still of other users with the same key. */
  revoked_at: OptionalTime;
}

/** Nonces that were used, until they are over. */
export interface SpentNonceTable {
  world_id: string;
  nonce: string;
  expires_at: Time;
}

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
  /** Null until the secret key touches what a publishable key claimed for a user that is not known. */
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
  status: ChallengeStatus;
  /** When Challenge initiated was emitted; null while it is a claim. */
  announced_at: OptionalTime;
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
  /** With a claim: tries of the code asked for last. */
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

/** How many devices a hardware key has in a world, in shards; the key '' is the total. */
export interface CrowdTable {
  world_id: string;
  hardware_key: string;
  shard: number;
  devices: number;
}

/** The outbox: what happened, committed with what made it happen. */
export interface EventTable {
  id: string;
  world_id: string;
  type: string;
  user_id: string | null;
  /** What may be there once only, such as a signal of one user on one day. */
  once: string | null;
  data: Json<object>;
  created_at: Time;
}

/** Where a world's events go. */
export interface WebhookEndpointTable {
  id: string;
  world_id: string;
  url: string;
  /** Sealed. */
  secret: Bytes;
  /** The one before, sealed: events are signed with it too until its time is over. */
  previous_secret: OptionalBytes;
  previous_until: OptionalTime;
  /** `failing`: an event was given up. `off`: the receiver answered 410, and gets nothing until it is switched on again. */
  status: WebhookEndpointStatus;
  created_at: Time;
}

export type WebhookEndpointStatus = 'healthy' | 'failing' | 'off';

/** An event on its way to an endpoint. */
export interface WebhookDeliveryTable {
  event_id: string;
  endpoint_id: string;
  status: Generated<'waiting' | 'delivered' | 'failed'>;
  attempts: Generated<number>;
  /** When it is due; while an attempt is made, when that attempt counts as lost. */
  next_at: Time;
  /** The attempt that is made; null while none is. */
  claim: string | null;
}

export interface WebhookAttemptTable {
  id: string;
  event_id: string;
  endpoint_id: string;
  at: Time;
  /** The answer's; null where there was none. */
  status: number | null;
  failure: WebhookFailure | null;
  duration_ms: number;
}

export interface IdempotencyTable {
  key_id: string;
  route: string;
  idempotency_key: string;
  body_mark: Bytes;
  /** Null while the request is in flight. */
  status: number | null;
  answer: OptionalBytes;
  created_at: Time;
}

/** What stays of a deleted user where its devices were blocked or counted: keyed, without the user. */
export interface MarkTable {
  world_id: string;
  identity_id: string;
  cause: 'blocked' | 'account';
  /** Keyed hash of the deleted user's id, so that one account counts once. */
  mark: Bytes;
  created_at: Time;
}

/** Who changed which setting, and when. */
export interface SettingChangeTable {
  id: string;
  project_id: string;
  changed_by: string;
  changes: Json<Record<string, unknown>>;
  created_at: Time;
}

/** Who may look at the dashboard. */
export interface AdminTable {
  id: string;
  /** Sealed, and its keyed mark, by which it is found. */
  email: Bytes;
  email_mark: Bytes;
  password_hash: string;
  created_at: Time;
}

/** A browser in which an administrator is signed in. */
export interface AdminSessionTable {
  /** Of the cookie. */
  hash: Bytes;
  admin_id: string;
  /** What came of the last step, sealed; shown once. */
  notice: OptionalBytes;
  created_at: Time;
  last_seen_at: Time;
  expires_at: Time;
}

/** A link by which somebody becomes an administrator, or sets a new password. */
export interface AdminLinkTable {
  /** Of the link's token. */
  hash: Bytes;
  /** Whether it is good only while there is no administrator. */
  for_first: boolean;
  expires_at: Time;
}

/** Wrong passwords in a row, of an account or from an address. */
export interface SignInFailureTable {
  /** Keyed mark. */
  subject: Bytes;
  failures: number;
  last_at: Time;
  locked_until: Time;
}

/** How often something happened in an hour. Nothing here is anybody's. */
export interface ActivityCountTable {
  world_id: string;
  hour: Time;
  kind: ActivityKind;
  label: string;
  count: number;
}

export type ActivityKind = 'verdict' | 'observed' | 'reason' | 'challenge' | 'completion' | 'event';

/** Up to when a world's rows of one source are counted in `activity_counts`. */
export interface ActivityFoldTable {
  world_id: string;
  source: ActivitySource;
  until: Time;
}

export type ActivitySource = 'evaluations' | 'challenges' | 'events';

/** What an administrator did about a user, on the dashboard. */
export interface AdminActionTable {
  id: string;
  world_id: string;
  admin_id: string;
  user_id: string | null;
  action: AdminActionName;
  /** The id of the user, device or evaluation. */
  subject: string;
  created_at: Time;
}

export type AdminActionName =
  | 'suspend'
  | 'activate'
  | 'detach'
  | 'block'
  | 'unblock'
  | 'trust'
  | 'distrust'
  | `label_${FeedbackLabel}`;

export interface Schema {
  projects: ProjectTable;
  worlds: WorldTable;
  api_keys: ApiKeyTable;
  users: UserTable;
  user_addresses: UserAddressTable;
  identities: IdentityTable;
  identity_merges: IdentityMergeTable;
  variants: VariantTable;
  devices: DeviceTable;
  device_variants: DeviceVariantTable;
  device_keys: DeviceKeyTable;
  spent_nonces: SpentNonceTable;
  evaluations: EvaluationTable;
  challenges: ChallengeTable;
  challenge_visits: ChallengeVisitTable;
  counters: CounterTable;
  crowds: CrowdTable;
  events: EventTable;
  webhook_endpoints: WebhookEndpointTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_attempts: WebhookAttemptTable;
  idempotency: IdempotencyTable;
  marks: MarkTable;
  setting_changes: SettingChangeTable;
  admins: AdminTable;
  admin_sessions: AdminSessionTable;
  admin_links: AdminLinkTable;
  sign_in_failures: SignInFailureTable;
  activity_counts: ActivityCountTable;
  activity_folds: ActivityFoldTable;
  admin_actions: AdminActionTable;
}
