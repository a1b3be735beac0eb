import type { ColumnType, JSONColumnType } from 'kysely';
import type { FeedbackLabel } from 'whorl/wire';
import type { Bytes, Json, OptionalBytes, OptionalText, OptionalTime, Time } from './columns.js';
import type { WorldMode } from './projects.js';

/** Accounts of the dashboard. */
export interface AdminTable {
  id: string;
  /** Whether it has every permission in all projects. */
  is_owner: boolean;
  /** Sealed. */
  email: Bytes;
  /** Blind index of the address. */
  email_mark: Bytes;
  password_hash: string;
  /** Secret of the authenticator app, sealed. */
  totp_secret: OptionalBytes;
  /** Secret of an app that is being set up, sealed. */
  totp_pending: OptionalBytes;
  /** Time step of the last code that was used. */
  totp_step: ColumnType<number | null, number | null | undefined, number | null>;
  created_at: Time;
}

/** Accounts of an OpenID Connect provider, each with the account of the dashboard that it signs in to. */
export interface AdminIdentityTable {
  /** Blind index of the issuer and the subject. */
  mark: Bytes;
  admin_id: string;
  created_at: Time;
}

/** Passkeys of accounts. */
export interface AdminPasskeyTable {
  /** Credential ID, in base64url. */
  id: string;
  admin_id: string;
  /** COSE key, in base64url. */
  public_key: string;
  counter: number;
  transports: JSONColumnType<string[]>;
  name: string;
  created_at: Time;
  last_used_at: OptionalTime;
}

/** Recovery codes that were not used. */
export interface AdminRecoveryCodeTable {
  hash: Bytes;
  admin_id: string;
}

/** Settings of the installation. Defaults are not stored. */
export interface InstallationSettingTable {
  name: string;
  value: ColumnType<unknown, string, string>;
}

/** Roles of accounts in projects. Owners need none. */
export interface ProjectMemberTable {
  project_id: string;
  admin_id: string;
  role: 'viewer' | 'analyst' | 'administrator';
  created_at: Time;
}

/** Sessions of administrators. */
export interface AdminSessionTable {
  /** Names the session in forms. */
  id: string;
  /** Hash of the cookie's value. */
  hash: Bytes;
  admin_id: string;
  /** Result of the last action, sealed; shown once. */
  notice: OptionalBytes;
  /** Time when the password was last confirmed. */
  confirmed_at: OptionalTime;
  /** Browser and system, in words. */
  device: OptionalText;
  /** Network of the last use: an IPv4 address or an IPv6 /64. */
  network: OptionalText;
  /** Whether it waits for the second factor. Until then, nobody is signed in. */
  is_waiting: boolean;
  /** Challenge of a passkey that is being created or used. */
  ceremony: OptionalText;
  created_at: Time;
  last_seen_at: Time;
  expires_at: Time;
}

/** Links to become a member or to set a new password. */
export interface AdminLinkTable {
  id: string;
  /** Hash of the link's token. */
  hash: Bytes;
  /** `first`: valid only while there is no administrator. */
  purpose: 'first' | 'invitation' | 'reset';
  /** Invited email address, sealed. */
  email: OptionalBytes;
  /** Role of the invited person. */
  role: ColumnType<InvitedRole | null, InvitedRole | null | undefined, never>;
  /** Project of the role, unless it is `owner`. */
  project_id: OptionalText;
  /** Account that sent the invitation. */
  invited_by: OptionalText;
  /** Account whose password is reset. */
  admin_id: OptionalText;
  expires_at: Time;
}

export type InvitedRole = ProjectMemberTable['role'] | 'owner';

/** Consecutive failed sign-ins, by account or by address. */
export interface SignInFailureTable {
  /** Blind index of the account or the address. */
  subject: Bytes;
  failures: number;
  last_at: Time;
  locked_until: Time;
}

/** Requests of a second that a process got for a busy key or address, which share their rate limits. */
export interface RequestDemandTable {
  process: string;
  /** Blind index of the key and address. */
  subject: string;
  demand: number;
  at: Time;
}

/** Networks that sent `X-Forwarded-For` or `Forwarded` and are not trusted proxies. */
export interface ForwarderTable {
  network: string;
  seen_at: Time;
}

/** Hourly counts, without personal data. */
export interface ActivityCountTable {
  world_id: string;
  hour: Time;
  kind: ActivityKind;
  label: string;
  count: number;
}

export type ActivityKind =
  | 'verdict'
  | 'failure'
  | 'observed'
  | 'reason'
  | 'challenge'
  | 'completion'
  | 'event'
  | 'score'
  | 'country'
  | 'network';

/** `activity_counts` includes a world's rows of a source up to this time. */
export interface ActivityFoldTable {
  world_id: string;
  source: ActivitySource;
  until: Time;
}

export type ActivitySource = 'evaluations' | 'challenges' | 'events';

/** Audit log of actions on the installation, its projects and their users. */
export interface AuditTable {
  id: string;
  kind: string;
  /** `administrator`, `command line`, `nobody` if no one was signed in, or another actor. */
  actor: string;
  /** Administrator who acted, or whose account is concerned. */
  admin_id: OptionalText;
  project_id: OptionalText;
  mode: ColumnType<WorldMode | null, WorldMode | null | undefined, never>;
  user_id: OptionalText;
  /** ID of the user, device or evaluation. */
  subject: OptionalText;
  /** Network of the actor: an IPv4 address or an IPv6 /64. */
  network: OptionalText;
  /** Old and new values, by name. */
  changes: JSONColumnType<Record<string, unknown>> | null;
  details: Json<Record<string, unknown>>;
  created_at: Time;
  /** Number in the chain; null only until entries of an earlier version are added to it. */
  seq: ColumnType<number | null, number | null | undefined, number | null>;
  /** SHA-256 of the previous entry's hash and the content. */
  hash: OptionalBytes;
  /** Random, with which `about` is computed. Removed with the user. */
  salt: OptionalBytes;
  /** SHA-256 of the salt, the user and the subject. */
  about: OptionalBytes;
}

/** Ends of the audit log's chain. It has one row. */
export interface AuditHeadTable {
  id: string;
  /** Sealed. */
  seal: OptionalBytes;
}

export type AdminActionName =
  | 'suspend'
  | 'activate'
  | 'user_exported'
  | 'detach'
  | 'block'
  | 'unblock'
  | 'trust'
  | 'distrust'
  | 'review_taken'
  | 'review_set_aside'
  | `label_${FeedbackLabel}`
  | 'label_removed';
