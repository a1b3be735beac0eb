import type { Bytes, Time } from './columns.js';

/** Identities: one for each browser that the service recognises. Their IDs are `fingerprint_id` in the API. */
export interface IdentityTable {
  id: string;
  world_id: string;
  /** Identity that this one was merged into. */
  merged_into: string | null;
  created_at: Time;
}

/** History of merged identities. */
export interface IdentityMergeTable {
  from_identity: string;
  into_identity: string;
  world_id: string;
  /** `last`: a known fingerprint was sent with a saved one that belonged to another identity. */
  cause: 'last';
  confidence: number;
  variant_id: string;
  last_variant_id: string;
  created_at: Time;
}

/** Fingerprints of identities. Look-alikes have the same fingerprint, each with an identity of its own. */
export interface VariantTable {
  id: string;
  world_id: string;
  identity_id: string;
  digest: Bytes;
  fingerprint: string;
  /** Descriptor and hardware facets, for finding candidates; null for fingerprints in other formats. */
  hardware_key: string | null;
  /** Hashes of other groups of facets, also for finding candidates: see linking/rules/group-keys.ts. */
  software_key: string | null;
  frame_key: string | null;
  settled_key: string | null;
  first_seen_at: Time;
  last_seen_at: Time;
}

/** Number of devices by hardware key in a world, in shards. The key '' is the total. */
export interface CrowdTable {
  world_id: string;
  hardware_key: string;
  shard: number;
  /** ID of the hardware in the API (linking/rules/hardware-id.ts), for look-ups; null for the total. */
  hardware_id: string | null;
  devices: number;
}
