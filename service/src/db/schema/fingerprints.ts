import type { Bytes, Time } from './columns.js';

/** One physical browser as the service knows it: `fingerprint_id`. */
export interface IdentityTable {
  id: string;
  world_id: string;
  /** The identity that this one turned out to be. */
  merged_into: string | null;
  created_at: Time;
}

/** An identity that turned out to be another: who, when, and by what. */
export interface IdentityMergeTable {
  from_identity: string;
  into_identity: string;
  world_id: string;
  /** `last`: a known fingerprint came with a saved one that was known as another identity's. */
  cause: 'last';
  confidence: number;
  variant_id: string;
  last_variant_id: string;
  created_at: Time;
}

/** One fingerprint of an identity. */
export interface VariantTable {
  id: string;
  world_id: string;
  identity_id: string;
  digest: Bytes;
  fingerprint: string;
  /** Descriptor and hardware facets, by which candidates are found; null where the text is not ours. */
  hardware_key: string | null;
  /** Hashes of other groups of facets, for the same: see linking/rules/group-keys.ts. */
  software_key: string | null;
  frame_key: string | null;
  settled_key: string | null;
  first_seen_at: Time;
  last_seen_at: Time;
}

/** How many devices a hardware key has in a world, in shards; the key '' is the total. */
export interface CrowdTable {
  world_id: string;
  hardware_key: string;
  shard: number;
  devices: number;
}
