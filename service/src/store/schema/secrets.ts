import type { Generated } from 'kysely';
import type { OptionalBytes, OptionalTime, Time } from './columns.js';

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
