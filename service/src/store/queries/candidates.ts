import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Candidate } from '../../domain/linking/choose.js';
import type { GroupKeys } from '../../domain/linking/group-keys.js';
import type { Database } from '../../service.js';
import { statement } from '../statement.js';

/** Of each group. More of them would say no more than that it is a crowd. */
const mostOfGroup = 10;

interface CandidateRow {
  readonly identity_id: string;
  readonly fingerprint: string;
  readonly last_seen_at: Date;
}

type KeyValues = GroupKeys & { readonly worldId: string; readonly hardware: string | null };

/** Each group has an index that is read from its newest end. */
const selectAlike = statement<KeyValues, CandidateRow>()`
  select coalesce(i.merged_into, i.id) as identity_id, v.fingerprint, v.last_seen_at
  from (
    (
      select id, identity_id, fingerprint, last_seen_at from variants
      where world_id = ${'worldId'} and settled_key = ${'settled'}::bigint and not claimed
      order by last_seen_at desc limit ${mostOfGroup}
    ) union (
      select id, identity_id, fingerprint, last_seen_at from variants
      where world_id = ${'worldId'} and frame_key = ${'frame'}::bigint and not claimed
      order by last_seen_at desc limit ${mostOfGroup}
    ) union (
      select id, identity_id, fingerprint, last_seen_at from variants
      where world_id = ${'worldId'} and software_key = ${'software'}::bigint and not claimed
      order by last_seen_at desc limit ${mostOfGroup}
    ) union (
      select id, identity_id, fingerprint, last_seen_at from variants
      where world_id = ${'worldId'} and hardware_key = ${'hardware'}::text and not claimed
      order by last_seen_at desc limit ${mostOfGroup}
    )
  ) v join identities i on i.id = v.identity_id`;

/** The newest fingerprints in the world that share a group of facets, of each group so many. */
export async function findAlike(
  db: Database,
  worldId: string,
  hardware: string | undefined,
  keys: GroupKeys,
): Promise<Candidate[]> {
  const rows = await selectAlike(db, { worldId, hardware: hardware ?? null, ...keys });
  return rows.map(({ identity_id, fingerprint, last_seen_at }) => ({
    identityId: identity_id,
    fingerprint,
    lastSeenAt: last_seen_at,
    from: 'project',
  }));
}

/** Fingerprints that a frequency is counted from: enough to tell one in a thousand. */
const sampleSize = 1000;

/**
 * Some of a world's fingerprints, drawn evenly: in the order of their digests, which are random, from a random one
 * onwards and around. Claims are left out after drawing, so that a flood of them costs nothing.
 */
export async function sampleFingerprints(db: Database, worldId: string): Promise<string[]> {
  const start = randomBytes(32);
  const { rows } = await sql<{ fingerprint: string; claimed: boolean }>`
    select * from (
      (
        select fingerprint, claimed from variants where world_id = ${worldId} and digest >= ${start}
        order by digest limit ${sql.lit(sampleSize)}
      ) union all (
        select fingerprint, claimed from variants where world_id = ${worldId} and digest < ${start}
        order by digest limit ${sql.lit(sampleSize)}
      )
    ) drawn limit ${sql.lit(sampleSize)}
  `.execute(db);
  return rows.filter(({ claimed }) => !claimed).map(({ fingerprint }) => fingerprint);
}

/** How many devices a world has, as its shards say. */
export async function countDevices(db: Database, worldId: string): Promise<number> {
  const { rows } = await sql<{ devices: number }>`
    select coalesce(sum(devices), 0)::int as devices from crowds where world_id = ${worldId} and hardware_key = ''
  `.execute(db);
  return rows[0]?.devices ?? 0;
}
