import { sql } from 'kysely';
import type { Database } from '../../resources/service.js';

/** Page of keys, in the order of their thumbprints, which are random. */
interface KeyPage {
  readonly after: string;
  /** Last thumbprint of the range, if it ends before the last of all. */
  readonly until: string | undefined;
  readonly limit: number;
}

export async function listKeys(db: Database, worldId: string, { after, until, limit }: KeyPage): Promise<string[]> {
  const { rows } = await sql<{ thumbprint: string }>`
    select distinct thumbprint from device_keys
    where world_id = ${worldId} and thumbprint > ${after} and (${until ?? null}::text is null or thumbprint <= ${until ?? null})
    order by thumbprint limit ${limit}
  `.execute(db);
  return rows.map(({ thumbprint }) => thumbprint);
}

/** A day on which a user proved a key with a fingerprint. */
export interface SeenDay {
  readonly key: string;
  readonly user_id: string;
  /** Identity that the service chose, after merges. */
  readonly identity_id: string;
  readonly variant_id: string;
  /** Days since 1970. */
  readonly day: number;
}

/** Devices of one user, or of one identity, that are read at most. */
const maxDevices = 20;
/** Evaluations of one device that are read at most, the newest first. */
const maxEvaluations = 2000;

/**
 * Returns the days on which keys were proven: the keys of a page, and other keys of the same users and of the same
 * identities.
 */
export async function listDays(db: Database, worldId: string, keys: readonly string[]): Promise<SeenDay[]> {
  const { rows } = await sql<SeenDay>`
    with own as (
      select d.id, d.user_id, d.identity_id from device_keys k
      join devices d on d.world_id = k.world_id and d.id = k.device_id
      where k.world_id = ${worldId} and k.thumbprint = any(${keys}::text[])
    ), near as (
      select id from own
      union
      select d.id from (select distinct user_id from own) o cross join lateral (
        select id from devices where world_id = ${worldId} and user_id = o.user_id
        order by last_seen_at desc limit ${sql.lit(maxDevices)}
      ) d
      union
      select d.id from (select distinct identity_id from own) o cross join lateral (
        select id from devices where world_id = ${worldId} and identity_id = o.identity_id
        order by last_seen_at desc limit ${sql.lit(maxDevices)}
      ) d
    )
    select distinct e.key_thumbprint as key, e.user_id, coalesce(i.merged_into, i.id) as identity_id, e.variant_id,
      floor(extract(epoch from e.created_at) / 86400)::int as day
    from near cross join lateral (
      select key_thumbprint, user_id, identity_id, variant_id, created_at from evaluations
      where world_id = ${worldId} and device_id = near.id
      order by created_at desc limit ${sql.lit(maxEvaluations)}
    ) e
    join identities i on i.world_id = ${worldId} and i.id = e.identity_id
    where e.key_thumbprint is not null and e.user_id is not null and e.variant_id is not null
    order by day, key, variant_id, user_id, identity_id
  `.execute(db);
  return rows;
}

/** Returns the fingerprints of variants, by ID. */
export async function readFingerprints(
  db: Database,
  worldId: string,
  variantIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; fingerprint: string }>`
    select id, fingerprint from variants where world_id = ${worldId} and id = any(${variantIds}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ id, fingerprint }) => [id, fingerprint]));
}
