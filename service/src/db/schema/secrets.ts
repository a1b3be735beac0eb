import type { Generated } from 'kysely';
import type { Bytes, Json, OptionalBytes, OptionalTime, Time } from './columns.js';

/** A master secret that was used with this database. */
export interface KeyRingTable {
  /** As its sealed values carry it. */
  key_id: string;
  /** The keys of hashes whose texts are not stored, sealed, so that these outlive the secret; null once nothing needs them. */
  lookup_keys: OptionalBytes;
  /** When it became the current one. */
  current_since: Time;
  /** Whether the operator said that it leaked: nothing that it signed is accepted. */
  leaked: Generated<boolean>;
  /** When nothing was left that was sealed with it; null while something may be. */
  resealed_at: OptionalTime;
}

/** A key pair that the tokens of a project are signed with. */
export interface SigningKeyTable {
  /** The thumbprint of the public key (RFC 7638). */
  kid: string;
  project_id: string;
  /** Sealed. */
  private_key: Bytes;
  /** As a JSON Web Key. */
  public_key: Json<Record<string, unknown>>;
  created_at: Time;
  /** From when on tokens are signed with it, until the next one takes over. */
  signs_from: Time;
  /** Until when it is published; null until the next one is made. */
  published_until: OptionalTime;
}
