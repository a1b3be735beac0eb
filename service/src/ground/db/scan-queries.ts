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
  /** Conditions of which each has an index. Only rows that one of them matches are examined. Default: all rows. */
  readonly parts?: readonly RawBuilder<unknown>[] | undefined;
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
export function scanByTime<Row extends { readonly id: string }>(
  db: Database,
  { time = 'created_at', ...source }: Source & { readonly time?: 'created_at' | 'last_seen_at' },
  { from, since = new Date(0), ...request }: ScanRequest,
): Promise<Scan<Row>> {
  const column = sql.ref(time);
  const range = (limit: number) => {
    const { behind, first } = newestFirst(from, limit, { time });
    return sql`${column} >= ${since} and ${behind} ${first}`;
  };
  return scan(db, { ...source, time, order: [time, 'id'], range }, request);
}

export interface ScanByIdRequest extends Omit<ScanRequest, 'since'> {
  /** Lowest ID of the rows to examine. Default: no limit. */
  readonly sinceId?: string | undefined;
}

/** Like `scanByTime`, for a table that has no index on its time: IDs begin with it. */
export function scanById<Row extends { readonly id: string }>(
  db: Database,
  source: Source,
  { from, sinceId, ...request }: ScanByIdRequest,
): Promise<Scan<Row>> {
  const notBefore = sinceId === undefined ? sql`` : sql`and id >= ${sinceId}`;
  const range = (limit: number) => sql`id < ${from.id} ${notBefore} order by id desc limit ${sql.lit(limit)}`;
  return scan(db, { ...source, time: 'created_at', order: ['id'], range }, request);
}

interface OrderedSource extends Source {
  readonly time: 'created_at' | 'last_seen_at';
  /** Columns of the order. */
  readonly order: readonly string[];
  /** Returns SQL for the range and the order of the rows, newest first, and their limit. */
  readonly range: (limit: number) => RawBuilder<unknown>;
}

async function scan<Row extends { readonly id: string }>(
  db: Database,
  source: OrderedSource,
  request: Omit<ScanRequest, 'from' | 'since'>,
): Promise<Scan<Row>> {
  const { limit } = request;
  const { time, order } = source;
  const scanLimit = request.filter ? maxScannedRows : limit;
  const { rows } = await sql<(Edge & Row) | (Edge & { readonly id: null })>`
    with scanned as materialized (${scannedRows(source, request, scanLimit)}), hits as (
      select * from scanned where is_match order by ${inOrder(order, 'desc')} limit ${sql.lit(limit)}
    )
    select edge.*, hits.* from (
      select (select count(*)::int from scanned) as scanned, ${sql.ref(time)} as edge_at, id as edge_id
      from scanned order by ${inOrder(order, 'asc')} limit 1
    ) edge left join hits on true
    order by ${inOrder(
      order.map((column) => `hits.${column}`),
      'desc',
    )}
  `.execute(db);
  const edge = rows[0];
  const found = rows.filter((row): row is Edge & Row => row.id !== null);
  const isFinished = !edge || edge.scanned < scanLimit || found.length === limit;
  return { rows: found, stoppedAt: isFinished ? undefined : { at: edge.edge_at, id: edge.edge_id } };
}

function inOrder(columns: readonly string[], direction: 'asc' | 'desc'): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`${sql.ref(column)} ${sql.raw(direction)}`));
}

/** Returns SQL for the rows to examine. */
function scannedRows(
  { table, columns, order, range }: OrderedSource,
  { worldId, filter = sql<boolean>`true`, within, parts }: Omit<ScanRequest, 'from' | 'since'>,
  scanLimit: number,
): RawBuilder<unknown> {
  const read = (condition: RawBuilder<unknown>) => sql`
    select ${columns}, ${filter} as is_match from ${table}
    where world_id = ${worldId} and ${condition} and ${range(scanLimit)}`;
  if (parts) {
    const all = parts.map((condition) => sql`(${read(condition)})`);
    return sql`select * from (${sql.join(all, sql` union all `)}) parted order by ${inOrder(order, 'desc')} limit ${sql.lit(scanLimit)}`;
  }
  if (!within) return read(sql`true`);
  return sql`
    select keyed.* from (${within.keys}) keys
    cross join lateral (${read(sql`${sql.ref(within.column)} = keys.key`)}) keyed
    order by ${inOrder(order, 'desc')} limit ${sql.lit(scanLimit)}`;
}
