import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { fragment, statement } from '../../db/statement.js';
import type { Database } from '../../service.js';
import type { Candidate } from '../rules/choose.js';
import type { GroupKeys } from '../rules/group-keys.js';

/** Of each group. More of them would say no more than that it is a crowd. */
const mostOfGroup = 10;

interface CandidateRow extends Omit<Candidate, 'identityId' | 'lastSeenAt'> {
  readonly identity_id: string;
  readonly last_seen_at: Date;
}

type CandidateValues = GroupKeys & {
  readonly worldId: string;
  readonly externalId: string | null;
  readonly hardware: string | null;
};

const part = fragment<CandidateValues>();
const newestAlike = (...group: Parameters<typeof part>) => part`
  select id, identity_id, fingerprint, last_seen_at from variants
  where world_id = ${'worldId'} and ${part(...group)}
  order by last_seen_at desc limit ${mostOfGroup}`;

/**
 * Each group has an index that is read from its newest end. The limit on users tells the planner that a name is one
 * user's at most: it has no samples of names.
 */
const selectCandidates = statement<CandidateValues, CandidateRow>()`
  (
    select 'user' as "from", d.identity_id, v.fingerprint, v.last_seen_at
    from (select x.id, x.world_id from users x where x.world_id = ${'worldId'} and x.external_id = ${'externalId'}::text limit 1) u
    join devices d on d.world_id = u.world_id and d.user_id = u.id and d.merged_into is null
    join variants v on v.world_id = d.world_id and v.id = d.variant_id
    order by d.last_seen_at desc
    limit 20
  ) union all (
    select 'project' as "from", coalesce(i.merged_into, i.id) as identity_id, v.fingerprint, v.last_seen_at
    from (
      (${newestAlike`settled_key = ${'settled'}::bigint`})
      union (${newestAlike`frame_key = ${'frame'}::bigint`})
      union (${newestAlike`software_key = ${'software'}::bigint`})
      union (${newestAlike`hardware_key = ${'hardware'}::text`})
    ) v join identities i on i.world_id = ${'worldId'} and i.id = v.identity_id
  )`;

/**
 * Fingerprints that one may be a variant of: those of the user's own devices, the newest of each, and the newest in the
 * world that share a group of facets, of each group so many.
 */
export async function findCandidates(
  db: Database,
  worldId: string,
  {
    user,
    hardware,
    keys,
  }: { readonly user: string | undefined; readonly hardware: string | undefined; readonly keys: GroupKeys },
): Promise<Candidate[]> {
  const values = { worldId, externalId: user ?? null, hardware: hardware ?? null, ...keys };
  const rows = await selectCandidates(db, values);
  return rows.map(({ identity_id, last_seen_at, ...candidate }) => ({
    ...candidate,
    identityId: identity_id,
    lastSeenAt: last_seen_at,
  }));
}

/** Fingerprints that a frequency is counted from: enough to tell one in a thousand. */
const sampleSize = 1000;

/**
 * Some of a world's fingerprints, drawn evenly: in the order of their digests, which are random, from a random one
 * onwards and around.
 */
export async function sampleFingerprints(db: Database, worldId: string): Promise<string[]> {
  const start = randomBytes(32);
  const { rows } = await sql<{ fingerprint: string }>`
    select * from (
      (
        select fingerprint from variants where world_id = ${worldId} and digest >= ${start}
        order by digest limit ${sql.lit(sampleSize)}
      ) union all (
        select fingerprint from variants where world_id = ${worldId} and digest < ${start}
        order by digest limit ${sql.lit(sampleSize)}
      )
    ) drawn limit ${sql.lit(sampleSize)}
  `.execute(db);
  return rows.map(({ fingerprint }) => fingerprint);
}

/** How many devices a world has, as its shards say. */
export async function countDevices(db: Database, worldId: string): Promise<number> {
  const { rows } = await sql<{ devices: number }>`
    select coalesce(sum(devices), 0)::int as devices from crowds where world_id = ${worldId} and hardware_key = ''
  `.execute(db);
  return rows[0]?.devices ?? 0;
}
