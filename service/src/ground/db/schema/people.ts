import type { ColumnType, Generated } from 'kysely';
import type { DeviceInfo, DeviceKind, DeviceStatus, EndCause, Metadata, NoticeKind, UserStatus } from 'whorl/wire';
import type { Bytes, Json, OptionalBytes, OptionalText, OptionalTime, Time } from './columns.js';

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
  /** Number of times that one of its devices was detached, kicked or blocked, or the user was suspended. */
  revocations: Generated<number>;
  /** Value of `revocations` when the user was last suspended. */
  suspension: Generated<number>;
  /** When the user last did not recognise a device or a change. */
  disowned_at: OptionalTime;
  /** The oldest email address that was replaced within the last 72 hours, sealed. Messages go there too until then. */
  former_email: OptionalBytes;
  former_email_until: OptionalTime;
  created_at: Time;
  updated_at: Time;
}

/** Networks where a user was seen or is trusted. */
export interface UserAddressTable {
  user_id: string;
  world_id: string;
  network: string;
  /** Null if the address was imported and the user not seen there yet. */
  seen_at: OptionalTime;
  trusted_until: OptionalTime;
}

/** Devices: each links a user to an identity. */
export interface DeviceTable {
  id: string;
  world_id: string;
  user_id: string;
  identity_id: string;
  status: DeviceStatus;
  kind: DeviceKind;
  info: Json<DeviceInfo>;
  /** The user's own name for it. */
  name: OptionalText;
  metadata: Json<Metadata>;
  trusted: boolean;
  whitelisted: boolean;
  auto_detached: boolean;
  /** Whether it has a key that is not revoked. */
  proven: Generated<boolean>;
  /** Latest fingerprint. */
  variant_id: string;
  last_ip: string | null;
  last_network: string | null;
  last_seen_at: Time;
  created_at: Time;
  updated_at: Time;
  detached_at: OptionalTime;
  /** Time when it was last detached or blocked, or its user suspended. Not cleared when the device is attached again. */
  ended_at: OptionalTime;
  end_cause: ColumnType<EndCause | null, EndCause | null | undefined, EndCause | null>;
  revision: Generated<number>;
  /** Value of the user's `revocations` when the device was last detached, kicked or blocked. */
  revocation: Generated<number>;
  /** When the user said that it is not theirs. Cleared when it is unblocked. */
  disowned_at: OptionalTime;
  /** Device of the same user that this one was merged into and that replaces it. */
  merged_into: string | null;
}

/** Fingerprints covered by a device's trust: it was allowed or completed a challenge with them. */
export interface DeviceVariantTable {
  world_id: string;
  device_id: string;
  variant_id: string;
}

/** Keys that a device was allowed or completed a challenge with. */
export interface DeviceKeyTable {
  device_id: string;
  world_id: string;
  /** Thumbprint of the key (RFC 7638). */
  thumbprint: string;
  created_at: Time;
  /** Time since which it no longer counts as trust. It is still evidence about other users with the same key. */
  revoked_at: OptionalTime;
}

/** Messages to users about their devices and contacts, for the link "This was not me". */
export interface NoticeTable {
  id: string;
  world_id: string;
  user_id: string;
  kind: NoticeKind;
  /** The user's device that it is about, if there is one. */
  device_id: string | null;
  /** Browser and system that it is about. */
  info: Json<DeviceInfo>;
  ip: string | null;
  /** The address that was replaced, sealed. */
  replaced_email: OptionalBytes;
  created_at: Time;
  used_at: OptionalTime;
}

/** Used nonces, until they expire. */
export interface SpentNonceTable {
  world_id: string;
  nonce: string;
  expires_at: Time;
}

/** Pseudonymous remains of deleted users whose devices were blocked or counted. */
export interface MarkTable {
  world_id: string;
  identity_id: string;
  cause: 'blocked' | 'account';
  /** Keyed hash of the deleted user's ID, so that each account is counted once. */
  mark: Bytes;
  /** ID of the master secret of the hash; null if unknown. */
  key_id: string | null;
  created_at: Time;
}
