import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Outcome, Reason, Verdict } from 'whorl/wire';
import { newestFirst } from '../../ground/db/newest-queries.js';
import type { Position } from '../../ground/db/position-rules.js';
import { type Scan, type ScanRequest, scanByTime } from '../../ground/db/scan-queries.js';
import type { EvaluationTable } from '../../ground/db/schema/index.js';
import type { DeviceRow } from '../../resources/devices/queries/devices.js';
import type { Database } from '../../resources/service.js';

/** Columns of an evaluation in a list. */
export type ListedEvaluationRow = Pick<
  Selectable<EvaluationTable>,
  | 'id'
  | 'created_at'
  | 'user_id'
  | 'external_user'
  | 'device_id'
  | 'action'
  | 'outcome'
  | 'verdict'
  | 'observed_verdict'
  | 'reasons'
  | 'ip'
  | 'address'
  | 'matched_by'
  | 'confidence'
  | 'changed'
  | 'feedback_label'
>;

const columns = sql`id, created_at, user_id, external_user, device_id, action, outcome, verdict, observed_verdict, reasons,
  ip, address, matched_by, confidence, changed, feedback_label`;

export interface EvaluationFilter {
  readonly verdict?: Verdict | undefined;
  readonly reason?: Reason | undefined;
  readonly action?: string | undefined;
  readonly outcome?: Outcome | undefined;
}

/** Returns evaluations of a world, newest first. */
export function scanEvaluations(
  db: Database,
  filter: EvaluationFilter,
  request: Omit<ScanRequest, 'filter'>,
): Promise<Scan<ListedEvaluationRow>> {
  return scanByTime(db, { table: sql`evaluations`, columns }, { ...request, filter: conditionOf(filter) });
}

function conditionOf({ verdict, reason, action, outcome }: EvaluationFilter): RawBuilder<boolean> | undefined {
  const conditions = [
    verdict && sql`verdict = ${verdict}`,
    reason && sql`reasons ? ${reason}`,
    action && sql`action = ${action}`,
    outcome && sql`outcome = ${outcome}`,
  ].filter((condition) => typeof condition === 'object');
  return conditions.length > 0 ? sql<boolean>`${sql.join(conditions, sql` and `)}` : undefined;
}

/** Returns evaluations of a device and of the devices merged into it, newest first. */
export async function listEvaluationsOfDevice(
  db: Database,
  { world_id, id }: Pick<DeviceRow, 'world_id' | 'id'>,
  from: Position,
  limit: number,
): Promise<ListedEvaluationRow[]> {
  const { behind, first } = newestFirst(from, limit);
  const { rows } = await sql<ListedEvaluationRow>`
    select e.* from (
      select ${id}::uuid as own_id
      union all select id from devices where world_id = ${world_id} and merged_into = ${id}
    ) d cross join lateral (
      select ${columns} from evaluations
      where world_id = ${world_id} and device_id = d.own_id and ${behind} ${first}
    ) e
    order by e.created_at desc, e.id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}
