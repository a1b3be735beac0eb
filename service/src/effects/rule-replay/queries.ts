import { type Selectable, sql } from 'kysely';
import type { EvaluationTable, RuleReplayTable } from '../../ground/db/schema/index.js';
import type { Rule } from '../../resources/projects/rules/conditions/rule.js';
import type { Database } from '../../resources/service.js';
import type { ReplayReport } from './rules/report.js';

export type ReplayRow = Selectable<RuleReplayTable<Rule, ReplayReport>>;

interface ReplayKey {
  readonly worldId: string;
  readonly id: string;
}

const isActive = sql<boolean>`status in ('waiting', 'running')`;

/** Adds a replay. Returns false if one of the world has not ended. */
export async function insertReplay(
  db: Database,
  { worldId, id }: ReplayKey,
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

export async function findReplay(db: Database, { worldId, id }: ReplayKey): Promise<ReplayRow | undefined> {
  const { rows } = await sql<ReplayRow>`
    select * from rule_replays where world_id = ${worldId} and id = ${id}
  `.execute(db);
  return rows[0];
}

/** Returns the newest replays of a world. */
export async function listReplays(db: Database, worldId: string, limit: number): Promise<ReplayRow[]> {
  const { rows } = await sql<ReplayRow>`
    select * from rule_replays where world_id = ${worldId} order by id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}

/** Marks a replay as running. Returns it, unless it has ended. */
export async function beginReplay(db: Database, { worldId, id }: ReplayKey): Promise<ReplayRow | undefined> {
  const { rows } = await sql<ReplayRow>`
    update rule_replays set status = 'running' where world_id = ${worldId} and id = ${id} and ${isActive} returning *
  `.execute(db);
  return rows[0];
}

/** Stores how far a replay is. Returns false if it was cancelled. */
export async function saveReport(db: Database, { worldId, id }: ReplayKey, report: ReplayReport): Promise<boolean> {
  const { rows } = await sql`
    update rule_replays set report = ${JSON.stringify(report)}
    where world_id = ${worldId} and id = ${id} and status = 'running' returning id
  `.execute(db);
  return rows.length > 0;
}

/** Ends a replay that has not ended. */
export async function endReplay(
  db: Database,
  { worldId, id }: ReplayKey,
  status: 'finished' | 'cancelled' | 'failed',
  at: Date,
): Promise<void> {
  await sql`
    update rule_replays set status = ${status}, ended_at = ${at}
    where world_id = ${worldId} and id = ${id} and ${isActive}
  `.execute(db);
}

/** Deletes old replays. Returns how many. */
export async function removeOldReplays(
  db: Database,
  worldId: string,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { rows } = await sql`
    delete from rule_replays where world_id = ${worldId} and id in (
      select id from rule_replays where world_id = ${worldId} and created_at < ${before} limit ${sql.lit(limit)}
    ) returning id
  `.execute(db);
  return rows.length;
}

const columns = [
  'id',
  'created_at',
  'external_user',
  'action',
  'outcome',
  'reasons',
  'ip',
  'address',
  'rule_basis',
  'feedback_label',
] as const;

/** Evaluation to replay. `request`: null unless it was asked for. */
export type ReplayedRow = Pick<Selectable<EvaluationTable>, (typeof columns)[number]> & {
  readonly request: Uint8Array | null;
};

/** Part of a world's evaluations. The ID of an evaluation begins with its time. */
export interface Batch {
  /** Only older ones. */
  readonly before: string;
  readonly since: string;
  readonly limit: number;
  readonly withRequest: boolean;
}

/** Returns evaluations of a world, the newest first. */
export async function readBatch(
  db: Database,
  worldId: string,
  { before, since, limit, withRequest }: Batch,
): Promise<ReplayedRow[]> {
  const { rows } = await sql<ReplayedRow>`
    select ${sql.join(columns.map((name) => sql.ref(name)))}, ${withRequest ? sql.ref('request') : sql`null`} as request
    from evaluations where world_id = ${worldId} and id < ${before} and id >= ${since}
    order by id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
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
