import { statement } from '../../db/statement.js';
import type { Database } from '../../service.js';

/** Stored fingerprint. */
export interface KnownVariant {
  readonly variantId: string;
  readonly identityId: string;
  readonly fingerprint: string;
  readonly lastSeenAt: Date;
}

interface VariantRow {
  readonly id: string;
  readonly digest: Uint8Array;
  readonly fingerprint: string;
  readonly last_seen_at: Date;
  readonly identity_id: string;
}

const selectVariants = statement<{ worldId: string; digest: Uint8Array; other: Uint8Array }, VariantRow>()`
  select v.id, v.digest, v.fingerprint, v.last_seen_at, coalesce(i.merged_into, i.id) as identity_id
  from variants v join identities i on i.world_id = v.world_id and i.id = v.identity_id
  where v.world_id = ${'worldId'} and v.digest in (${'digest'}, ${'other'})`;

/** Returns the variants of one or two digests, in the same order; undefined for each that is not stored. */
export async function findVariants(
  db: Database,
  worldId: string,
  digest: Uint8Array,
  other?: Uint8Array,
): Promise<(KnownVariant | undefined)[]> {
  const rows = await selectVariants(db, { worldId, digest, other: other ?? digest });
  return [digest, ...(other ? [other] : [])].map((wanted) => {
    const row = rows.find((candidate) => Buffer.compare(candidate.digest, wanted) === 0);
    return (
      row && {
        variantId: row.id,
        identityId: row.identity_id,
        fingerprint: row.fingerprint,
        lastSeenAt: row.last_seen_at,
      }
    );
  });
}

/** Records that a variant was seen. */
export async function touchVariant(db: Database, worldId: string, variantId: string, at: Date): Promise<void> {
  await db
    .updateTable('variants')
    .set({ last_seen_at: at })
    .where('world_id', '=', worldId)
    .where('id', '=', variantId)
    .execute();
}
