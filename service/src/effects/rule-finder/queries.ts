import { type Selectable, sql } from 'kysely';
import type { FeedbackLabel } from 'whorl/wire';
import type { EvaluationTable, RuleSearchTable } from '../../ground/db/schema/index.js';
import type { Database } from '../../resources/service.js';
import { type RunKey, runsOf } from '../rule-runs/queries.js';
import type { Target } from './rules/find.js';
import type { SearchReport } from './rules/report.js';

export type SearchRow = Selectable<RuleSearchTable<Target, SearchReport>>;

export const searches = runsOf<SearchRow>('rule_searches');

/** Adds a search. Returns false if one of the world has not ended. */
export async function insertSearch(
  db: Database,
  { worldId, id }: RunKey,
  { target, at }: { readonly target: Target; readonly at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into rule_searches (world_id, id, target, status, created_at)
    values (${worldId}, ${id}, ${JSON.stringify(target)}, 'waiting', ${at})
    on conflict do nothing returning id
  `.execute(db);
  return rows.length > 0;
}

/** Returns the IDs of the newest evaluations with a label. */
export async function listLabelled(
  db: Database,
  worldId: string,
  { label, since, limit }: { readonly label: FeedbackLabel; readonly since: Date; readonly limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from evaluations where world_id = ${worldId} and feedback_label = ${label} and created_at >= ${since}
    order by created_at desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows.map(({ id }) => id);
}

const columns = ['external_user', 'user_index', 'action', 'outcome', 'reasons', 'ip', 'address', 'request'] as const;

/** Evaluation with a label. */
export type LabelledRow = Pick<Selectable<EvaluationTable>, (typeof columns)[number] | 'rule_basis' | 'feedback_label'>;

/** Returns those evaluations that still exist. */
export async function readLabelled(db: Database, worldId: string, ids: readonly string[]): Promise<LabelledRow[]> {
  const { rows } = await sql<LabelledRow>`
    select ${sql.join(columns.map((name) => sql.ref(name)))}, rule_basis, feedback_label from evaluations
    where world_id = ${worldId} and id = any(${[...ids]}::uuid[])
  `.execute(db);
  return rows;
}
