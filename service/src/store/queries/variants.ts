import { sql } from 'kysely';
import type { GroupKeys } from '../../domain/linking/group-keys.js';
import type { Database } from '../../service.js';

/** The fingerprint of a variant that something refers to. */
export async function findVariantFingerprint(db: Database, variantId: string): Promise<string> {
  const { fingerprint } = await db
    .selectFrom('variants')
    .select('fingerprint')
    .where('id', '=', variantId)
    .executeTakeFirstOrThrow();
  return fingerprint;
}

export interface NewVariant {
  readonly id: string;
  readonly worldId: string;
  readonly identityId: string;
  readonly isNewIdentity: boolean;
  readonly digest: Uint8Array;
  readonly fingerprint: string;
  readonly hardwareKey: string | undefined;
  readonly keys: GroupKeys;
  readonly claimed: boolean;
  readonly at: Date;
}

/**
 * Adds a variant, and its identity where that is new. Answers false where another request added the same fingerprint
 * in the meantime: nothing is added then.
 */
export async function insertVariant(db: Database, variant: NewVariant): Promise<boolean> {
  const { id, worldId, identityId, digest, fingerprint, hardwareKey = null, keys, claimed, at } = variant;
  const added = sql`insert into variants
    (id, world_id, identity_id, digest, fingerprint, hardware_key, software_key, frame_key, settled_key, claimed,
      first_seen_at, last_seen_at)
    values (${id}, ${worldId}, ${identityId}, ${digest}, ${fingerprint}, ${hardwareKey}, ${keys.software}, ${keys.frame},
      ${keys.settled}, ${claimed}, ${at}, ${at})
    on conflict (world_id, digest) do nothing returning id`;
  // One statement: an identity without a variant would never be found again.
  const statement = variant.isNewIdentity
    ? sql`with added as (${added})
        insert into identities (id, world_id, created_at)
        select ${identityId}::uuid, ${worldId}::uuid, ${at}::timestamptz from added returning id`
    : added;
  const { rows } = await statement.execute(db);
  return rows.length === 1;
}

/**
 * Has an identity be found by its newest variant of each group alone: however many it has, it takes one place in a
 * group, and crowds out nobody. Exact matches are as before.
 */
export async function supersede(
  db: Database,
  { id, identityId, hardwareKey, keys }: Pick<NewVariant, 'id' | 'identityId' | 'hardwareKey' | 'keys'>,
): Promise<void> {
  const hardware = hardwareKey ?? null;
  await sql`
    update variants set
      hardware_key = nullif(hardware_key, ${hardware}::text),
      software_key = nullif(software_key, ${keys.software}::bigint),
      frame_key = nullif(frame_key, ${keys.frame}::bigint),
      settled_key = nullif(settled_key, ${keys.settled}::bigint)
    where identity_id = ${identityId} and id <> ${id} and not claimed
      and (hardware_key = ${hardware}::text or software_key = ${keys.software}::bigint
        or frame_key = ${keys.frame}::bigint or settled_key = ${keys.settled}::bigint)
  `.execute(db);
}

/**
 * Makes room for one more variant of an identity that may have so many: the claimed ones go first, then those not seen
 * for longest. None goes that was seen since a time, that a device knows, or that a challenge waits for. Answers
 * whether there is room.
 */
export async function makeRoom(
  db: Database,
  { identityId, most, before }: { readonly identityId: string; readonly most: number; readonly before: Date },
): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from variants where identity_id = ${identityId} limit ${most}
    ) counted
  `.execute(db);
  if ((rows[0]?.count ?? 0) < most) return true;
  const { numAffectedRows = 0n } = await sql`
    delete from variants where id in (
      select v.id from variants v
      where v.identity_id = ${identityId} and v.last_seen_at < ${before}
        and not exists (select from devices d where d.variant_id = v.id)
        and not exists (select from device_variants k where k.variant_id = v.id)
        and not exists (
          select from challenges c
          where c.world_id = v.world_id and c.identity_id = v.identity_id
            and c.variant_id = v.id and c.status = 'pending'
        )
      order by v.claimed desc, v.last_seen_at
      limit 1 for update skip locked
    )
  `.execute(db);
  return numAffectedRows > 0n;
}
