import type { ColumnType, Generated } from 'kysely';
import type { DeviceInfo, DeviceKind, DeviceStatus, EndCause, Metadata, UserStatus } from 'whorl/wire';
import type { Bytes, Json, OptionalBytes, OptionalTime, Time } from './columns.js';

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
  /** How often one of its devices was detached, kicked or blocked, or the user suspended. */
  revocations: Generated<number>;
  /** The value of `revocations` when the user was suspended last. */
  suspension: Generated<number>;
  created_at: Time;
  updated_at: Time;
}

/** Where a user was seen, and until when it is trusted there. */
export interface UserAddressTable {
  user_id: string;
  world_id: string;
  network: string;
  /** Null while it was only imported. */
  seen_at: OptionalTime;
  trusted_until: OptionalTime;
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
  /** The value of the user's `revocations` when the device was detached, kicked or blocked last. */
  revocation: Generated<number>;
  /** The user's device that this one turned out to be: it answers in its place. */
  merged_into: string | null;
}

/** The fingerprints with which a device was allowed, or completed a challenge: what its trust covers. */
export interface DeviceVariantTable {
  world_id: string;
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

/** What stays of a deleted user where its devices were blocked or counted: keyed, without the user. */
export interface MarkTable {
  world_id: string;
  identity_id: string;
  cause: 'blocked' | 'account';
  /** Keyed hash of the deleted user's id, so that one account counts once. */
  mark: Bytes;
  /** The master secret that the hash was made with; null where that is not known. */
  key_id: string | null;
  created_at: Time;
}
