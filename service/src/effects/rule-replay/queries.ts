import { type Selectable, sql } from 'kysely';
import type { EvaluationTable, RuleReplayTable } from '../../ground/db/schema/index.js';
import type { Rule } from '../../resources/projects/rules/conditions/rule.js';
import type { Database } from '../../resources/service.js';
import { type RunKey, runsOf } from '../rule-runs/queries.js';
import type { ReplayReport } from './rules/report.js';

export type ReplayRow = Selectable<RuleReplayTable<Rule, ReplayReport>>;

export const replays = runsOf<ReplayRow>('rule_replays');

/** Adds a replay. Returns false if one of the world has not ended. */
export async function insertReplay(
  db: Database,
  { worldId, id }: RunKey,
  { rules, position, compared }: Pick<ReplayRow, 'rules' | 'position' | 'compared'>,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into rule_replays (world_id, id, rules, position, compared, status, created_at)
    values (${worldId}, ${id}, ${JSON.stringify(rules)}, ${position}, ${JSON.stringify(compared)}, 'waiting', ${at})
    on conflict do nothing returning id
  `.execute(db);
  return rows.length > 0;
}

/** Evaluation in the list of those that change. */
export type ChangedRow = Pick<
  Selectable<EvaluationTable>,
  'id' | 'created_at' | 'external_user' | 'user_id' | 'action' | 'verdict' | 'feedback_label'
>;

/** Returns those evaluations that still exist. */
export async function listChanged(db: Database, worldId: string, ids: readonly string[]): Promise<ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    select id, created_at, external_user, user_id, action, verdict, feedback_label from evaluations
    where world_id = ${worldId} and id = any(${[...ids]}::uuid[])
  `.execute(db);
  return rows;
}
