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
  /** Values of an indexed column. Only rows with one of them are examined. Default: all rows of the world. */
  readonly within?: ScanKeys | undefined;
}

export interface ScanKeys {
  /** Column of an index on world, this column and time. */
  readonly column: string;
  /** Query with the values, as `key`. */
  readonly keys: RawBuilder<unknown>;
}

/** Maximum number of rows examined per query. It bounds the cost of a filter that matches few rows. */
export const maxScannedRows = 5000;

interface Edge {
  readonly scanned: number;
  readonly edge_at: Date;
  readonly edge_id: string;
}

interface Source {
  readonly table: RawBuilder<unknown>;
  readonly columns: RawBuilder<unknown>;
}

/**
 * Reads matching rows backwards in time by an index on world and time. Stops after a limited number of rows and returns
 * where it stopped.
 */
export async function scanByTime<Row extends { readonly id: string; readonly created_at: Date }>(
  db: Database,
  source: Source,
  request: ScanRequest,
): Promise<Scan<Row>> {
  const { limit } = request;
  const scanLimit = request.filter ? maxScannedRows : limit;
  const { rows } = await sql<(Edge & Row) | (Edge & { readonly id: null })>`
    with scanned as materialized (${scannedRows(source, request, scanLimit)}), hits as (
      select * from scanned where is_match
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

/** Returns SQL for the rows to examine, newest first. */
function scannedRows(
  { table, columns }: Source,
  { worldId, from, since = new Date(0), filter = sql<boolean>`true`, within }: ScanRequest,
  scanLimit: number,
): RawBuilder<unknown> {
  const { behind, first } = newestFirst(from, scanLimit);
  const read = (condition: RawBuilder<unknown>) => sql`
    select ${columns}, ${filter} as is_match from ${table}
    where world_id = ${worldId} and ${condition} and created_at >= ${since} and ${behind} ${first}`;
  if (!within) return read(sql`true`);
  return sql`
    select found.* from (${within.keys}) keys
    cross join lateral (${read(sql`${sql.ref(within.column)} = keys.key`)}) found
    order by found.created_at desc, found.id desc limit ${sql.lit(scanLimit)}`;
}
