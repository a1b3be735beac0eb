import type { ColumnType, JSONColumnType } from 'kysely';
import type { FeedbackLabel } from 'whorl/wire';
import type { Bytes, Json, OptionalBytes, OptionalText, OptionalTime, Time } from './columns.js';
import type { WorldMode } from './projects.js';

/** Administrators of the dashboard. */
export interface AdminTable {
  id: string;
  /** Sealed. */
  email: Bytes;
  /** Blind index of the address. */
  email_mark: Bytes;
  password_hash: string;
  created_at: Time;
}

/** Sessions of administrators. */
export interface AdminSessionTable {
  /** Hash of the cookie's value. */
  hash: Bytes;
  admin_id: string;
  /** Result of the last action, sealed; shown once. */
  notice: OptionalBytes;
  /** Time when the password was last confirmed. */
  confirmed_at: OptionalTime;
  created_at: Time;
  last_seen_at: Time;
  expires_at: Time;
}

/** Links to become an administrator or to set a new password. */
export interface AdminLinkTable {
  /** Hash of the link's token. */
  hash: Bytes;
  /** `first`: valid only while there is no administrator. */
  purpose: 'first' | 'invitation' | 'reset';
  /** Invited email address, sealed. */
  email: OptionalBytes;
  /** Administrator whose password is reset. */
  admin_id: OptionalText;
  expires_at: Time;
}

/** Consecutive failed sign-ins, by account or by address. */
export interface SignInFailureTable {
  /** Blind index of the account or the address. */
  subject: Bytes;
  failures: number;
  last_at: Time;
  locked_until: Time;
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

export type ActivityKind = 'verdict' | 'observed' | 'reason' | 'challenge' | 'completion' | 'event';

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
  | `label_${FeedbackLabel}`;
