import type { AddressInfo } from 'whorl/wire';
import { statement } from '../../db/statement.js';
import type { Database } from '../../service.js';
import type { Access } from '../rules/history.js';

/** Number of accesses that are read. More would say little about what a person does now. */
const maxAccesses = 50;

interface HistoryRow {
  readonly at: Date;
  readonly identity_id: string;
  readonly variant_id: string;
  readonly hardware_key: string | null;
  readonly os: string | null;
  readonly browser: string | null;
  readonly network: string | null;
  readonly address: AddressInfo | null;
  readonly is_proven: boolean;
}

const selectHistory = statement<{ readonly worldId: string; readonly userId: string }, HistoryRow>()`
  select e.created_at as at, coalesce(i.merged_into, e.identity_id) as identity_id, e.variant_id, v.hardware_key,
    d.info->>'os' as os, d.info->>'browser' as browser, e.network, e.address, e.proof is not distinct from 'valid' as is_proven
  from (
    select * from evaluations x
    where x.world_id = ${'worldId'} and x.user_id = ${'userId'}::uuid and x.accepted
    order by x.created_at desc limit ${maxAccesses}
  ) e
  left join identities i on i.world_id = e.world_id and i.id = e.identity_id
  left join variants v on v.world_id = e.world_id and v.id = e.variant_id
  left join devices d on d.world_id = e.world_id and d.id = e.device_id
  where d.status is distinct from 'blocked' and e.feedback_label is distinct from 'fraud'
  order by e.created_at desc`;

/** Adds the evaluations of a completed challenge to its user's history. */
export const acceptEvaluations = statement<{
  readonly worldId: string;
  readonly userId: string;
  readonly challengeId: string;
  readonly since: Date;
}>()`
  update evaluations set accepted = true
  where world_id = ${'worldId'} and user_id = ${'userId'} and challenge_id = ${'challengeId'}
    and created_at >= ${'since'} and not accepted`;

/**
 * Returns a user's newest accesses that were allowed, or whose challenge was completed, newest first and at most 50.
 * Those from devices that were blocked later, or that were labelled as fraud, are left out.
 */
export async function loadUserHistory(db: Database, worldId: string, userId: string): Promise<Access[]> {
  const rows = await selectHistory(db, { worldId, userId });
  return rows.map(({ identity_id, variant_id, hardware_key, address, is_proven, ...row }) => ({
    ...row,
    identityId: identity_id,
    variantId: variant_id,
    hardwareKey: hardware_key,
    info: address ?? undefined,
    isProven: is_proven,
  }));
}
