import { sql } from 'kysely';
import type { Transaction } from '../../../resources/service.js';
import type { MergePlan, MergingDevice } from '../rules/merge.js';

/**
 * Locks two identities if both are free, neither was merged, and they have no fingerprint in common: look-alikes have.
 * Returns the older one, which survives, or undefined. It never waits, so two merges cannot deadlock; and because the
 * older one survives, merges cannot form a cycle.
 */
export async function lockIdentities(
  db: Transaction,
  worldId: string,
  ids: readonly [string, string],
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from identities where world_id = ${worldId} and id in (${sql.join([...ids])}) and merged_into is null
      and not exists (
        select from variants a join variants b on b.world_id = a.world_id and b.digest = a.digest
        where a.world_id = ${worldId} and a.identity_id = ${ids[0]} and b.identity_id = ${ids[1]}
      )
    order by created_at, id for update skip locked
  `.execute(db);
  return rows.length === 2 ? rows[0]?.id : undefined;
}

/** Returns the devices of two identities, at most `limit` of each. */
export async function listMergingDevices(
  db: Transaction,
  worldId: string,
  [one, other]: readonly [string, string],
  limit: number,
): Promise<MergingDevice[]> {
  const { rows } = await sql<MergingDevice>`
    select d.id, d.identity_id as "identityId", d.user_id as "userId", u.external_id as "externalId", d.status,
      d.trusted, d.whitelisted
    from (
      (
        select * from devices
        where world_id = ${worldId} and identity_id = ${one} and merged_into is null limit ${limit}
      )
      union all (
        select * from devices
        where world_id = ${worldId} and identity_id = ${other} and merged_into is null limit ${limit}
      )
    ) d join users u on u.world_id = ${worldId} and u.id = d.user_id
  `.execute(db);
  return rows;
}

/** Open challenge of an identity. `sameness` is equal for two challenges for the same purpose. */
export interface OpenChallenge {
  readonly identityId: string;
  readonly externalUser: string;
  readonly sameness: string;
}

/** Returns the open challenges of two identities, at most `limit`. */
export async function listOpenChallenges(
  db: Transaction,
  worldId: string,
  [one, other]: readonly [string, string],
  limit: number,
): Promise<OpenChallenge[]> {
  const { rows } = await sql<OpenChallenge>`
    select identity_id as "identityId", external_user as "externalUser",
      json_build_array(external_user, action, network, key_thumbprint)::text as sameness
    from challenges
    where world_id = ${worldId} and identity_id in (${one}, ${other}) and status = 'pending'
    limit ${limit}
  `.execute(db);
  return rows;
}

export interface Merge {
  readonly worldId: string;
  readonly from: string;
  readonly into: string;
  readonly confidence: number;
  readonly variantId: string;
  readonly lastVariantId: string;
  readonly at: Date;
}

/**
 * Merges one identity into another. Everything that refers to it, including earlier merges, then refers to the
 * remaining identity, so that any older ID is resolved in one step. Records the merge.
 */
export async function mergeIdentity(db: Transaction, merge: Merge, { moved, joined }: MergePlan): Promise<void> {
  const { worldId, from, into, confidence, variantId, lastVariantId, at } = merge;
  await sql`
    update identities set merged_into = ${into}
    where world_id = ${worldId} and (id = ${from} or merged_into = ${from})
  `.execute(db);
  await sql`
    update variants set identity_id = ${into} where world_id = ${worldId} and identity_id = ${from}
  `.execute(db);
  await sql`
    update challenges set identity_id = ${into} where world_id = ${worldId} and identity_id = ${from}
  `.execute(db);
  await sql`
    insert into marks (world_id, identity_id, cause, mark, created_at)
    select world_id, ${into}::uuid, cause, mark, created_at from marks
    where world_id = ${worldId} and identity_id = ${from}
    on conflict do nothing
  `.execute(db);
  if (moved.length > 0) {
    await sql`
      update devices set identity_id = ${into} where world_id = ${worldId} and id in (${sql.join([...moved])})
    `.execute(db);
  }
  for (const pair of joined) await joinDevices(db, worldId, pair, at);
  await db
    .insertInto('identity_merges')
    .values({
      from_identity: from,
      into_identity: into,
      world_id: worldId,
      cause: 'last',
      confidence,
      variant_id: variantId,
      last_variant_id: lastVariantId,
      created_at: at,
    })
    .execute();
}

/** Merges two devices of one user that have the same permissions. The result has the fingerprints and keys of both. */
async function joinDevices(
  db: Transaction,
  worldId: string,
  { from, into }: { readonly from: string; readonly into: string },
  at: Date,
): Promise<void> {
  await sql`
    insert into device_variants (world_id, device_id, variant_id)
    select world_id, ${into}::uuid, variant_id from device_variants
    where world_id = ${worldId} and device_id = ${from} on conflict do nothing
  `.execute(db);
  await sql`
    insert into device_keys (device_id, world_id, thumbprint, created_at, revoked_at)
    select ${into}::uuid, world_id, thumbprint, created_at, revoked_at from device_keys
    where world_id = ${worldId} and device_id = ${from}
    on conflict do nothing
  `.execute(db);
  await sql`delete from device_variants where world_id = ${worldId} and device_id = ${from}`.execute(db);
  await sql`delete from device_keys where world_id = ${worldId} and device_id = ${from}`.execute(db);
  await sql`
    update challenges set device_id = ${into} where world_id = ${worldId} and device_id = ${from}
  `.execute(db);
  await sql`
    update devices a set
      proven = a.proven or b.proven,
      metadata = b.metadata || a.metadata,
      name = coalesce(a.name, b.name),
      last_seen_at = greatest(a.last_seen_at, b.last_seen_at),
      updated_at = ${at}, revision = a.revision + 1
    from devices b where a.world_id = ${worldId} and a.id = ${into} and b.world_id = a.world_id and b.id = ${from}
  `.execute(db);
  await sql`
    update devices set
      merged_into = ${into}, status = 'detached', detached_at = ${at}, trusted = false, whitelisted = false,
      proven = false, last_network = null, updated_at = ${at}, revision = revision + 1
    where world_id = ${worldId} and id = ${from}
  `.execute(db);
  await sql`
    update devices set merged_into = ${into} where world_id = ${worldId} and merged_into = ${from}
  `.execute(db);
}
