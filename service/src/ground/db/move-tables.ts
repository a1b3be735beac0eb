import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema/index.js';
import { installationTables, worldTables } from './schema/tables.js';

/** How far a move has copied a table. */
export interface Progress {
  /** Primary key of the last row that was copied. */
  readonly lastKey: readonly string[];
  readonly rows: number;
}

interface Copy {
  readonly from: Kysely<Schema>;
  readonly to: Kysely<Schema>;
  readonly table: string;
  readonly batchRows: number;
  readonly progress: Progress | undefined;
  readonly report: (line: string) => void;
}

interface Column {
  readonly name: string;
  /** Type with its modifiers, such as `bit(512)`. */
  readonly type: string;
  /** Position in the primary key, from 1. */
  readonly place: number | null;
}

/** Values as PostgreSQL prints them, which is exact for every type. */
type Row = Readonly<Record<string, string | null>>;

export const tablesToMove: readonly string[] = [...Object.keys(installationTables), ...worldTables];

export async function startProgress(target: Kysely<Schema>): Promise<void> {
  await sql`create table move_progress (name text primary key, last_key text[] not null, rows bigint not null)`.execute(
    target,
  );
}

export async function readProgress(target: Kysely<Schema>): Promise<Map<string, Progress>> {
  const { rows } = await sql<{ name: string; lastKey: string[]; rows: number }>`
    select name, last_key as "lastKey", rows from move_progress
  `.execute(target);
  return new Map(rows.map(({ name, ...progress }) => [name, progress]));
}

/**
 * Copies the rows of a table in batches, in the order of the primary key. Each batch is stored together with the
 * progress.
 */
export async function copyTable({ from, to, table, batchRows, progress, report }: Copy): Promise<void> {
  const columns = await columnsOf(from, table);
  const key = columns.filter(({ place }) => place !== null).sort((a, b) => Number(a.place) - Number(b.place));
  const total = await countRows(from, table);
  let { lastKey, rows }: Partial<Progress> & { rows: number } = progress ?? { rows: 0 };
  if (rows >= total) report(`${table}: ${rows} of ${total} rows`);
  while (rows < total) {
    const batch = await readBatch(from, { table, columns, key, after: lastKey, limit: batchRows });
    const last = batch.at(-1);
    if (!last) break;
    lastKey = key.map(({ name }) => String(last[name]));
    rows += batch.length;
    const next = { lastKey, rows };
    await to.transaction().execute(async (trx) => {
      await insertBatch(trx, table, columns, batch);
      await saveProgress(trx, table, next);
    });
    report(`${table}: ${rows} of ${total} rows`);
  }
}

async function columnsOf(db: Kysely<Schema>, table: string): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, array_position(k.conkey, a.attnum) as place
    from pg_attribute a left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'p'
    where a.attrelid = ${table}::text::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum
  `.execute(db);
  return rows;
}

async function countRows(db: Kysely<Schema>, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? 0;
}

interface Page {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly key: readonly Column[];
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

async function readBatch(db: Kysely<Schema>, { table, columns, key, after, limit }: Page): Promise<Row[]> {
  // Qualified, because an unqualified name in "order by" would be the printed value.
  const keyColumns = sql.join(key.map(({ name }) => sql.ref(`${table}.${name}`)));
  const printed = columns.map(({ name }) => sql`${sql.ref(`${table}.${name}`)}::text as ${sql.ref(name)}`);
  const values = key.map(({ type }, at) => sql`${after?.[at]}::text::${sql.raw(type)}`);
  const { rows } = await sql<Row>`
    select ${sql.join(printed)} from ${sql.table(table)}
    ${after ? sql`where (${keyColumns}) > (${sql.join(values)})` : sql``}
    order by ${keyColumns} limit ${limit}
  `.execute(db);
  return rows;
}

async function insertBatch(
  trx: Kysely<Schema>,
  table: string,
  columns: readonly Column[],
  batch: readonly Row[],
): Promise<void> {
  const names = columns.map(({ name }) => sql.ref(name));
  const values = columns.map(({ name, type }) => sql`${sql.ref(`batch.${name}`)}::${sql.raw(type)}`);
  const lists = columns.map(({ name }) => sql`${batch.map((row) => row[name] ?? null)}::text[]`);
  await sql`
    insert into ${sql.table(table)} (${sql.join(names)})
    select ${sql.join(values)} from unnest(${sql.join(lists)}) as batch (${sql.join(names)})
  `.execute(trx);
}

async function saveProgress(trx: Kysely<Schema>, table: string, { lastKey, rows }: Progress): Promise<void> {
  await sql`
    insert into move_progress (name, last_key, rows) values (${table}, ${[...lastKey]}::text[], ${rows})
    on conflict (name) do update set last_key = excluded.last_key, rows = excluded.rows
  `.execute(trx);
}
