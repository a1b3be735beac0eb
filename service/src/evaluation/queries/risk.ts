import { sql } from 'kysely';
import { statement } from '../../ground/db/statement.js';
import type { StoredAddress } from '../../ground/vocabulary.js';
import type { Database } from '../../resources/service.js';
import type { SampledAccess } from '../rules/risk/frequencies.js';
import type { ScoredLogin } from '../rules/risk/threshold.js';

/** Number of evaluations among which accesses are looked for, so that reading costs the same during an attack. */
const scanned = 50_000;

/** Number of accesses in a sample. They come from many more networks and cities than a smaller one would show. */
const sampleSize = 5000;

interface SampleRow extends Omit<SampledAccess, 'info'> {
  readonly address: StoredAddress | null;
}

const selectSample = statement<{ readonly worldId: string }, SampleRow>()`
  select e.user_id as "userId", e.created_at as at, e.network, e.address, d.info->>'os' as os, d.info->>'browser' as browser
  from (
    select * from (
      select x.user_id, x.device_id, x.created_at, x.network, x.address, x.accepted from evaluations x
      where x.world_id = ${'worldId'} order by x.created_at desc limit ${scanned}
    ) newest
    where newest.accepted and newest.user_id is not null order by newest.created_at desc limit ${sampleSize}
  ) e
  left join devices d on d.world_id = ${'worldId'} and d.id = e.device_id`;

/** Returns the newest accesses of a world that were accepted. */
export async function sampleAccesses(db: Database, worldId: string): Promise<SampledAccess[]> {
  const rows = await selectSample(db, { worldId });
  return rows.map(({ address, ...row }) => ({ ...row, info: address ?? undefined }));
}

/** Number of logins that a threshold is derived from. */
const maxScores = 10_000;

/**
 * Returns the scores of a world's newest logins since a time, the newest first. Only logins that were allowed or whose
 * challenge was completed count, so that attempts do not move the threshold that stops them.
 */
export async function listScores(db: Database, worldId: string, since: Date): Promise<ScoredLogin[]> {
  const { rows } = await sql<ScoredLogin>`
    select user_id as "userId", network, risk_score as score from (
      select user_id, network, risk_score, action, outcome, accepted, created_at from evaluations
      where world_id = ${worldId} and created_at >= ${since} order by created_at desc limit ${sql.lit(scanned)}
    ) newest
    where accepted and risk_score is not null and action not in ('signup', 'referral') and outcome = 'succeeded'
    order by created_at desc limit ${sql.lit(maxScores)}
  `.execute(db);
  return rows;
}
