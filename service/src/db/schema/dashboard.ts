import type { ColumnType, JSONColumnType } from 'kysely';
import type { FeedbackLabel } from 'whorl/wire';
import type { Bytes, Json, OptionalBytes, OptionalText, OptionalTime, Time } from './columns.js';
import type { WorldMode } from './projects.js';

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
  /** When the password was entered once more. */
  confirmed_at: OptionalTime;
  created_at: Time;
  last_seen_at: Time;
  expires_at: Time;
}

/** A link by which somebody becomes an administrator, or sets a new password. */
export interface AdminLinkTable {
  /** Of the link's token. */
  hash: Bytes;
  /** `first`: valid only while there is no administrator. */
  purpose: 'first' | 'invitation' | 'reset';
  /** The address that is invited, sealed. */
  email: OptionalBytes;
  /** Whose password is reset. */
  admin_id: OptionalText;
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

/** A network that sent `X-Forwarded-For` or `Forwarded` and is no trusted proxy. */
export interface ForwarderTable {
  network: string;
  seen_at: Time;
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

/** Who did what to the installation, its projects and their users. */
export interface AuditTable {
  id: string;
  kind: string;
  /** `administrator`, `command line`, `nobody` where nobody was signed in, or whatever else acted. */
  actor: string;
  /** The administrator who acted, or whose account it is about. */
  admin_id: OptionalText;
  project_id: OptionalText;
  mode: ColumnType<WorldMode | null, WorldMode | null | undefined, never>;
  user_id: OptionalText;
  /** The id of the user, device or evaluation. */
  subject: OptionalText;
  /** From where, as trust in addresses has it: IPv4 address, IPv6 /64. */
  network: OptionalText;
  /** By name, what something was and what it became. */
  changes: JSONColumnType<Record<string, unknown>> | null;
  details: Json<Record<string, unknown>>;
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
