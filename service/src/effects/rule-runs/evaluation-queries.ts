import { type Selectable, sql } from 'kysely';
import type { EvaluationTable } from '../../ground/db/schema/index.js';
import type { Database } from '../../resources/service.js';

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

/** Evaluation on which rules are tried. `request`: null unless it was asked for. */
export type BatchRow = Pick<Selectable<EvaluationTable>, (typeof columns)[number]> & {
  readonly request: Uint8Array | null;
};

/** Which evaluations of a world are read. */
export interface Wanted {
  readonly worldId: string;
  /** The first ID. The ID of an evaluation begins with its time. */
  readonly since: string;
  readonly withRequest: boolean;
}

/** Returns the newest evaluations before an ID, the newest first. */
export async function readBatch(
  db: Database,
  { worldId, since, withRequest }: Wanted,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<BatchRow[]> {
  const { rows } = await sql<BatchRow>`
    select ${sql.join(columns.map((name) => sql.ref(name)))}, ${withRequest ? sql.ref('request') : sql`null`} as request
    from evaluations where world_id = ${worldId} and id < ${before} and id >= ${since}
    order by id desc limit ${sql.lit(limit)}
  `.execute(db);
  return rows;
}
