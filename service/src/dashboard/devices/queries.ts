import { type Selectable, sql } from 'kysely';
import { newestFirst } from '../../ground/db/newest-queries.js';
import type { Position } from '../../ground/db/position-rules.js';
import type { IdentityMergeTable } from '../../ground/db/schema/index.js';
import type { DeviceRow } from '../../resources/devices/queries/devices.js';
import type { Database } from '../../resources/service.js';

/** Device with the external ID of its user. */
type NamedDeviceRow = DeviceRow & { readonly external_id: string };

/** Returns the devices of an identity, of all users, most recently seen first. */
export async function listDevicesOfIdentity(
  db: Database,
  { worldId, identityId }: { readonly worldId: string; readonly identityId: string },
  from: Position,
  limit: number,
): Promise<NamedDeviceRow[]> {
  const { behind, first } = newestFirst(from, limit, { time: 'last_seen_at' });
  const { rows } = await sql<NamedDeviceRow>`
    select d.*, u.external_id from (
      select * from devices
      where world_id = ${worldId} and identity_id = ${identityId} and merged_into is null
        and ${behind} ${first}
    ) d join users u on u.world_id = ${worldId} and u.id = d.user_id
    order by d.last_seen_at desc, d.id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

/** Returns the ID of an identity, or of the one it was merged into. */
export async function findIdentity(db: Database, worldId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(merged_into, id) as id from identities where world_id = ${worldId} and id = ${id}
  `.execute(db);
  return rows[0]?.id;
}

export interface IdentityVariantRow {
  readonly id: string;
  readonly fingerprint: string;
  readonly first_seen_at: Date;
  readonly last_seen_at: Date;
  /** Whether the device's trust covers this fingerprint. */
  readonly is_covered: boolean;
}

/** Returns the most recently seen fingerprints of a device's identity. */
export async function listVariantsOfDevice(
  db: Database,
  { id, world_id, identity_id }: Pick<DeviceRow, 'id' | 'world_id' | 'identity_id'>,
  limit: number,
): Promise<IdentityVariantRow[]> {
  const { rows } = await sql<IdentityVariantRow>`
    select v.id, v.fingerprint, v.first_seen_at, v.last_seen_at,
      exists (
        select from device_variants k
        where k.world_id = v.world_id and k.device_id = ${id} and k.variant_id = v.id
      ) as is_covered
    from variants v where v.world_id = ${world_id} and v.identity_id = ${identity_id}
    order by v.last_seen_at desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

export type IdentityMergeRow = Selectable<IdentityMergeTable>;

/** Returns the newest merges of other identities into this one. */
export async function listMergesInto(
  db: Database,
  worldId: string,
  identityId: string,
  limit: number,
): Promise<IdentityMergeRow[]> {
  return db
    .selectFrom('identity_merges')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('into_identity', '=', identityId)
    .orderBy('created_at', 'desc')
    .limit(sql.lit(limit))
    .execute();
}

/** Returns the number of erased users of an identity, at most `max`. */
export async function countErasedOfIdentity(
  db: Database,
  worldId: string,
  identityId: string,
  max: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from marks
      where world_id = ${worldId} and identity_id = ${identityId} and cause = 'account' limit ${sql.lit(max)}
    ) counted
  `.execute(db);
  return rows[0]?.count ?? 0;
}
