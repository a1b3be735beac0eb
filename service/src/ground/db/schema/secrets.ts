import type { Generated } from 'kysely';
import type { Bytes, Json, OptionalBytes, OptionalTime, Time } from './columns.js';

/** Master secrets that were used with this database. */
export interface KeyRingTable {
  /** Key ID in the sealed values. */
  key_id: string;
  /** Look-up keys for hashes whose texts are not stored, sealed, so that they outlive the secret; null if not needed. */
  lookup_keys: OptionalBytes;
  /** Time when it became the current one. */
  current_since: Time;
  /** Whether the operator reported that it leaked. If so, its signatures are rejected. */
  leaked: Generated<boolean>;
  /** Time since which no value is sealed with it; null while some may be. */
  resealed_at: OptionalTime;
}

/** Key pairs for signing the tokens of projects. */
export interface SigningKeyTable {
  /** Thumbprint of the public key (RFC 7638). */
  kid: string;
  project_id: string;
  /** Sealed. */
  private_key: Bytes;
  /** JSON Web Key. */
  public_key: Json<Record<string, unknown>>;
  created_at: Time;
  /** Time from which it signs tokens, until the next key takes over. */
  signs_from: Time;
  /** Time until which it is published; null until the next key is created. */
  published_until: OptionalTime;
}
