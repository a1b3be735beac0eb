import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema/index.js';
import { type PartitionedTableName, partitionedTables } from './schema/tables.js';

/** Of PostgreSQL's advisory locks, the one that processes take which create or drop partitions. */
const PARTITION_LOCK = 7_261_549_004;
/** Attaching and dropping wait for everybody who uses the table, and everybody else waits for them meanwhile. */
const LOCK_TIMEOUT_MS = 5000;
/** How many months after this one have their partitions already. */
const monthsAhead = 2;

/** A month of UTC. Its partition holds the ids of its moments, and ends where the next month begins. */
interface Month {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
}

/**
 * Creates the partitions of this month and the next two, where they are missing. Rows of these months that are in the
 * default partition move into them. Safe while other processes do the same.
 */
export async function createPartitions(db: Kysely<Schema>, now: Date): Promise<void> {
  const months = Array.from({ length: monthsAhead + 1 }, (_, ahead) => monthOf(now, ahead));
  for (const table of partitionedTables) {
    const existing = new Set(await listPartitions(db, table));
    for (const month of months) {
      if (!existing.has(partitionName(table, month))) await createPartition(db, table, month);
    }
  }
}

/**
 * Drops the partitions of a table whose months ended at or before a moment. The default partition stays.
 *
 * @returns the names of the dropped partitions.
 */
export async function dropPartitions(db: Kysely<Schema>, table: PartitionedTableName, before: Date): Promise<string[]> {
  const old = (await listPartitions(db, table)).filter((name) => {
    const month = monthOfPartition(table, name);
    return month !== undefined && startOf(nextMonth(month)) <= before;
  });
  for (const name of old) {
    await withPartitionLock(db, (trx) => sql`drop table if exists ${sql.table(name)}`.execute(trx));
  }
  return old;
}

/** Returns the names of a table's partitions, the default one included, in alphabetical order. */
export async function listPartitions(db: Kysely<Schema>, table: PartitionedTableName): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass order by name
  `.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Creates a partition in one transaction. The table is made apart and attached when it is complete: a partition cannot be
 * created for rows that the default partition holds.
 */
async function createPartition(db: Kysely<Schema>, table: PartitionedTableName, month: Month): Promise<void> {
  const name = partitionName(table, month);
  const [partition, fallback] = [sql.table(name), sql.table(`${table}_default`)];
  const [from, to] = [month, nextMonth(month)].map((each) => sql.lit(lowestIdAt(startOf(each))));
  await withPartitionLock(db, async (trx) => {
    if ((await listPartitions(trx, table)).includes(name)) return;
    await sql`lock table ${fallback} in access exclusive mode`.execute(trx);
    await sql`
      create table ${partition} (like ${fallback} including defaults including constraints including indexes)
    `.execute(trx);
    for (const column of await columnsWithoutSamples(trx, `${table}_default`)) {
      await sql`alter table ${partition} alter column ${sql.ref(column)} set statistics 0`.execute(trx);
    }
    await sql`
      with moved as (delete from ${fallback} where id >= ${from} and id < ${to} returning *)
      insert into ${partition} select * from moved
    `.execute(trx);
    await sql`
      alter table ${sql.table(table)} attach partition ${partition} for values from (${from}) to (${to})
    `.execute(trx);
  });
}

/** Runs in a transaction that no other process has open at the same time, and that gives up waiting for tables. */
function withPartitionLock<Result>(db: Kysely<Schema>, act: (trx: Kysely<Schema>) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(PARTITION_LOCK)})`.execute(trx);
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
    return act(trx);
  });
}

/** Returns the columns that the planner keeps no samples of: a new table does not inherit that. */
async function columnsWithoutSamples(db: Kysely<Schema>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and attstattarget = 0
  `.execute(db);
  return rows.map(({ name }) => name);
}

function partitionName(table: PartitionedTableName, { year, month }: Month): string {
  return `${table}_${year}_${String(month + 1).padStart(2, '0')}`;
}

function monthOfPartition(table: PartitionedTableName, name: string): Month | undefined {
  const [, year, month] = new RegExp(`^${table}_(\\d{4})_(\\d{2})$`).exec(name) ?? [];
  return year && month ? { year: Number(year), month: Number(month) - 1 } : undefined;
}

function monthOf(moment: Date, ahead: number): Month {
  const start = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + ahead));
  return { year: start.getUTCFullYear(), month: start.getUTCMonth() };
}

function nextMonth(month: Month): Month {
  return monthOf(startOf(month), 1);
}

function startOf({ year, month }: Month): Date {
  return new Date(Date.UTC(year, month));
}

/** Returns the first moment of the month, in UTC, that a moment is in. */
export function startOfMonth(moment: Date): Date {
  return startOf(monthOf(moment, 0));
}

/** Returns the lowest UUID whose first 48 bits are the Unix milliseconds of a moment. */
function lowestIdAt(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
