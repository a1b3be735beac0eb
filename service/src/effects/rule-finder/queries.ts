import { type Selectable, sql } from 'kysely';
import type { FeedbackLabel } from 'whorl/wire';
import type { EvaluationTable, RuleSearchTable } from '../../ground/db/schema/index.js';
import type { Database } from '../../resources/service.js';
import type { Target } from './rules/find.js';
import type { SearchReport } from './rules/report.js';

export type SearchRow = Selectable<RuleSearchTable<Target, SearchReport>>;

interface SearchKey {
  readonly worldId: string;
  readonly id: string;
}

const isActive = sql<boolean>`status in ('waiting', 'running')`;

/** Adds a search. Returns false if one of the world has not ended. */
export async function insertSearch(
  db: Database,
  { worldId, id }: SearchKey,
  { target, at }: { readonly target: Target; readonly at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into rule_searches (world_id, id, target, status, created_at)
    values (${worldId}, ${id}, ${JSON.stringify(target)}, 'waiting', ${at})
    on conflict do nothing returning id
  `.execute(db);
  return rows.length > 0;
}

export async function findSearch(db: Database, { worldId, id }: SearchKey): Promise<SearchRow | undefined> {
  const { rows } = await sql<SearchRow>`
    select * from rule_searches where world_id = ${worldId} and id = ${id}
  `.execute(db);
  return rows[0];
}

/** Returns the newest searches of a world. */
export async function listSearches(db: Database, worldId: string, limit: number): Promise<SearchRow[]> {
  const { rows } = await sql<SearchRow>`
    select * from rule_searches where world_id = ${worldId} order by id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

/** Marks a search as running. Returns it, unless it has ended. */
export async function beginSearch(db: Database, { worldId, id }: SearchKey): Promise<SearchRow | undefined> {
  const { rows } = await sql<SearchRow>`
    update rule_searches set status = 'running' where world_id = ${worldId} and id = ${id} and ${isActive} returning *
  `.execute(db);
  return rows[0];
}

/** Stores how far a search is. Returns false if it was cancelled. */
export async function saveSearch(db: Database, { worldId, id }: SearchKey, report: SearchReport): Promise<boolean> {
  const { rows } = await sql`
    update rule_searches set report = ${JSON.stringify(report)}
    where world_id = ${worldId} and id = ${id} and status = 'running' returning id
  `.execute(db);
  return rows.length > 0;
}

/** Ends a search that has not ended. */
export async function endSearch(
  db: Database,
  { worldId, id }: SearchKey,
  { status, at }: { readonly status: 'finished' | 'cancelled' | 'failed'; readonly at: Date },
): Promise<void> {
  await sql`
    update rule_searches set status = ${status}, ended_at = ${at}
    where world_id = ${worldId} and id = ${id} and ${isActive}
  `.execute(db);
}

/** Deletes old searches. Returns how many. */
export async function removeOldSearches(
  db: Database,
  worldId: string,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { rows } = await sql`
    delete from rule_searches where world_id = ${worldId} and id in (
      select id from rule_searches where world_id = ${worldId} and created_at < ${before} limit ${sql.lit(limit)}
    ) returning id
  `.execute(db);
  return rows.length;
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
