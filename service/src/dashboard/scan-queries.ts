import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../service.js';
import { newest } from './newest-queries.js';
import type { Position } from './position-rules.js';

/** Rows of a list by time, and how far back they were looked for. */
export interface Scan<Row> {
  /** One more than was asked for, where there are so many. */
  readonly rows: Row[];
  /** Where looking stopped for today's patience; undefined where it came to the end of the list. */
  readonly stoppedAt?: Position | undefined;
}

export interface ScanRequest {
  readonly worldId: string;
  /** Only what is older is looked at. */
  readonly from: Position;
  /** Only what is not older is looked at. */
  readonly since?: Date | undefined;
  readonly limit: number;
  /** What a row has to be. Default: nothing. */
  readonly filter?: RawBuilder<boolean> | undefined;
}

/** How many rows are looked at in search of those that match: it bounds what a filter costs, however rare its rows are. */
export const mostScanned = 5000;

interface Edge {
  readonly scanned: number;
  readonly edge_at: Date;
  readonly edge_id: string;
}

/**
 * Reads a table backwards in time by its index over world and time, and keeps what matches; after so many rows it stops,
 * and says where.
 */
export async function scanByTime<Row extends { readonly id: string; readonly created_at: Date }>(
  db: Database,
  source: { readonly table: RawBuilder<unknown>; readonly columns: RawBuilder<unknown> },
  { worldId, from, since = new Date(0), limit, filter }: ScanRequest,
): Promise<Scan<Row>> {
  const most = filter ? mostScanned : limit;
  const { behind, first } = newest(from, most);
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
  const isOver = !edge || edge.scanned < most || found.length === limit;
  return { rows: found, stoppedAt: isOver ? undefined : { at: edge.edge_at, id: edge.edge_id } };
}
