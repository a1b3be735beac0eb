import { type RawBuilder, sql } from 'kysely';
import type { Database } from './connection.js';
import { newestFirst } from './newest-queries.js';
import type { Position } from './position-rules.js';

/** Rows of a list sorted by time, and how far back the search went. */
export interface Scan<Row> {
  /** Matching rows, up to the requested limit. */
  readonly rows: Row[];
  /** Position where the search gave up. Undefined if it reached the end of the list. */
  readonly stoppedAt?: Position | undefined;
}

export interface ScanRequest {
  readonly worldId: string;
  /** Only older rows are examined. */
  readonly from: Position;
  /** Time of the oldest rows to examine. Default: no limit. */
  readonly since?: Date | undefined;
  readonly limit: number;
  /** Condition for rows. Default: none. */
  readonly filter?: RawBuilder<boolean> | undefined;
}

/** Maximum number of rows examined per query. It bounds the cost of a filter that matches few rows. */
export const maxScannedRows = 5000;

interface Edge {
  readonly scanned: number;
  readonly edge_at: Date;
  readonly edge_id: string;
}

/**
 * Reads matching rows backwards in time by the index on world and time. Stops after a limited number of rows and
 * returns where it stopped.
 */
export async function scanByTime<Row extends { readonly id: string; readonly created_at: Date }>(
  db: Database,
  source: { readonly table: RawBuilder<unknown>; readonly columns: RawBuilder<unknown> },
  { worldId, from, since = new Date(0), limit, filter }: ScanRequest,
): Promise<Scan<Row>> {
  const scanLimit = filter ? maxScannedRows : limit;
  const { behind, first } = newestFirst(from, scanLimit);
  const { rows } = await sql<(Edge & Row) | (Edge & { readonly id: null })>`
    with scanned as materialized (
      select ${source.columns} from ${source.table}
      where world_id = ${worldId} and created_at >= ${since} and ${behind} ${first}
    ), hits as (
      select * from scanned where ${filter ?? sql`true`}
      order by created_at desc, id desc limit ${sql.lit(limit)}
    )
    select edge.*, hits.* from (
      select (select count(*)::int from scanned) as scanned, created_at as edge_at, id as edge_id
      from scanned order by created_at, id limit 1
    ) edge left join hits on true
    order by hits.created_at desc, hits.id desc
  `.execute(db);
  const edge = rows[0];
  const found = rows.filter((row): row is Edge & Row => row.id !== null);
  const isFinished = !edge || edge.scanned < scanLimit || found.length === limit;
  return { rows: found, stoppedAt: isFinished ? undefined : { at: edge.edge_at, id: edge.edge_id } };
}
