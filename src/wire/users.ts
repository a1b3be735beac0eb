import type { CursorQuery } from './paging.js';
import type { WithWarnings } from './response-parts.js';
import type { Metadata, Timestamp, UserStatus } from './vocabulary.js';

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

/** GET /v2/users (docs/api.md). A user must match all filters. */
export interface UsersQuery extends CursorQuery {
  status?: UserStatus;
  /** The customer's identifier of the user. */
  user?: string;
  user_id?: string;
  /** The contacts that the user has: only an email address, only a phone number, both or none. */
  contact?: 'email' | 'phone' | 'both' | 'none';
  /** Whether the user has said of a device or a change: "This was not me". */
  disowned?: boolean;
  /** The lowest number of attached devices. */
  min_devices?: number;
  /** The highest number of attached devices. */
  max_devices?: number;
  /** The period in which a device of the user was last seen. */
  seen_start_date?: Timestamp;
  seen_end_date?: Timestamp;
  /** The period in which the user was created. */
  start_date?: Timestamp;
  end_date?: Timestamp;
}

/** POST /v2/users/search (docs/api.md): the users with these contacts. At least one is required. */
export interface SearchUsersRequest extends CursorQuery {
  /** In any spelling that the provider treats as the same. */
  email?: string;
  /** In the international format, such as `+491701234567`. */
  phone?: string;
}

/** POST /v2/user/:id/update. Null clears a field. */
export interface UpdateUserRequest {
  email?: string | null;
  phone?: string | null;
  metadata?: Metadata | null;
  status?: UserStatus;
}

/** The response to updating a user: the user. */
export interface UpdateUserResponse extends User, WithWarnings {}

/** POST /v2/user/import. */
export interface ImportUsersRequest {
  /** At most 1,000. */
  users: ImportedUser[];
}

/** A user of your application, with what you already know. Omitted fields stay unchanged. */
export interface ImportedUser {
  /** Your own identifier of the user. */
  id: string;
  email?: string;
  phone?: string;
  /** Merged key by key; null removes a key. */
  metadata?: Metadata;
  /** IPv4 or IPv6 addresses to trust for the user, for the project's `address_trust_days`. At most 100. */
  trusted_addresses?: string[];
  /** At most 20. */
  devices?: ImportedDevice[];
}

/** A device that you already know. It is attached to the user with this fingerprint. */
export interface ImportedDevice {
  fingerprint: string;
  last_fingerprint?: string;
  /** Merged key by key; null removes a key. */
  metadata?: Metadata;
  /** Whether the device is trusted, with this fingerprint. Default false. */
  trusted?: boolean;
}

/** The response to importing users: one result for each user, in the order of the request. */
export interface ImportUsersResponse extends WithWarnings {
  results: ImportResult[];
}

/** The result of one row of an import. */
export interface ImportResult {
  /** The ID in the row, or an empty string if it has none. */
  id: string;
  status: 'created' | 'updated' | 'unchanged' | 'failed';
  /** With `failed`: why nothing of the row was stored. With another status: what was left out. */
  errors?: { path: string; message: string }[];
}
