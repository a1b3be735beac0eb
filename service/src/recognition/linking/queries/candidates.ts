import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Fragment, fragment, statement } from '../../../ground/db/statement.js';
import type { Database } from '../../../resources/service.js';
import type { Candidate } from '../rules/choose.js';
import type { GroupKeys } from '../rules/group-keys.js';
import { maxOwnDevices } from './recognition.js';

/** Limit per group. More matches would only confirm that the group is a crowd. */
export const maxPerGroup = 10;

interface CandidateRow extends Omit<Candidate, 'identityId' | 'lastSeenAt'> {
  readonly identity_id: string;
  readonly last_seen_at: Date;
}

type CandidateValues = GroupKeys & {
  readonly worldId: string;
  readonly externalId: string | null;
  readonly keyThumbprint: string | null;
  readonly digest: Uint8Array;
  readonly hardware: string | null;
};

const part = fragment<CandidateValues>();
const newestSimilar = (...group: Parameters<typeof part>) => part`
  select id, identity_id, fingerprint, last_seen_at from variants
  where world_id = ${'worldId'} and ${part(...group)}
  order by last_seen_at desc limit ${maxPerGroup}`;

/** Of the devices with a key, the newest are read. */
const withKey = part`
  (
    select 'key' as "from", d.identity_id, v.fingerprint, v.last_seen_at
    from (
      select x.device_id from device_keys x
      where x.world_id = ${'worldId'} and x.thumbprint = ${'keyThumbprint'}::text
      order by x.device_id desc limit ${maxPerGroup}
    ) k
    join devices d on d.world_id = ${'worldId'} and d.id = k.device_id and d.merged_into is null
    join variants v on v.world_id = ${'worldId'} and v.id = d.variant_id
  ) union all`;

/**
 * Each group has an index that is read newest first. The limit on `users` is for the planner, which has no statistics to
 * infer that a name belongs to at most one user. Without a key, the part for keys is left out: with null as the key, the
 * planner would plan at each execution, which takes longer than the execution.
 */
const createSelectCandidates = (first: Fragment<CandidateValues>) => statement<CandidateValues, CandidateRow>()`
  ${first} (
    select 'user' as "from", d.identity_id, v.fingerprint, v.last_seen_at
    from (select x.id from users x where x.world_id = ${'worldId'} and x.external_id = ${'externalId'}::text limit 1) u
    join devices d on d.world_id = ${'worldId'} and d.user_id = u.id and d.merged_into is null
    join variants v on v.world_id = ${'worldId'} and v.id = d.variant_id
    order by d.last_seen_at desc
    limit ${maxOwnDevices}
  ) union all (
    select 'project' as "from", coalesce(i.merged_into, i.id) as identity_id, v.fingerprint, v.last_seen_at
    from (
      (
        select id, identity_id, fingerprint, last_seen_at from variants
        where world_id = ${'worldId'} and digest = ${'digest'} limit ${maxPerGroup}
      )
      union (${newestSimilar`settled_key = ${'settled'}::bigint`})
      union (${newestSimilar`frame_key = ${'frame'}::bigint`})
      union (${newestSimilar`software_key = ${'software'}::bigint`})
      union (${newestSimilar`hardware_key = ${'hardware'}::text`})
    ) v join identities i on i.world_id = ${'worldId'} and i.id = v.identity_id
  )`;

const selectCandidates = createSelectCandidates(part``);
const selectCandidatesWithKey = createSelectCandidates(withKey);

/** Fingerprint whose candidates are read. */
export interface CandidateLookup {
  readonly digest: Uint8Array;
  readonly user: string | undefined;
  readonly key: string | undefined;
  readonly hardware: string | undefined;
  readonly keys: GroupKeys;
}

/**
 * Returns fingerprints that may be earlier variants of this one: the newest of each device with the key and of each of
 * the user's own devices, and in the world equal ones and the newest that share a group of facets, up to a limit each.
 */
export async function findCandidates(
  db: Database,
  worldId: string,
  { digest, user, key, hardware, keys }: CandidateLookup,
): Promise<Candidate[]> {
  const values = {
    worldId,
    digest,
    externalId: user ?? null,
    keyThumbprint: key ?? null,
    hardware: hardware ?? null,
    ...keys,
  };
  const rows = await (key === undefined ? selectCandidates : selectCandidatesWithKey)(db, values);
  return rows.map(({ identity_id, last_seen_at, ...candidate }) => ({
    ...candidate,
    identityId: identity_id,
    lastSeenAt: last_seen_at,
  }));
}

/** Sample size for frequencies: enough to detect a share of one in a thousand. */
export const sampleSize = 1000;

/**
 * Returns a uniform sample of a world's fingerprints: in the order of their digests, which are random, starting at a
 * random one and wrapping around.
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

/** Returns the number of devices of a world, summed over its shards. */
export async function countDevices(db: Database, worldId: string): Promise<number> {
  const { rows } = await sql<{ devices: number }>`
    select coalesce(sum(devices), 0)::int as devices from crowds where world_id = ${worldId} and hardware_key = ''
  `.execute(db);
  return rows[0]?.devices ?? 0;
}
