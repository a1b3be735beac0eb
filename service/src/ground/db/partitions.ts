import { type Kysely, sql } from 'kysely';
import { isTableInUse } from './availability.js';
import type { Schema } from './schema/index.js';
import { type PartitionedTableName, partitionedTables } from './schema/tables.js';

/** Advisory lock for creating and dropping partitions. */
const PARTITION_LOCK = 7_261_549_004;
/** Attaching and dropping wait for all users of the table, and block new ones meanwhile. */
const LOCK_TIMEOUT_MS = 5000;
/** Number of future months for which partitions are created. */
const monthsAhead = 2;

/** Month in UTC. Its partition holds the IDs created in that month. */
interface Month {
  readonly year: number;
  /** 0 to 11. */
  readonly month: number;
}

/**
 * Creates missing partitions for this month and the next two, and moves their rows out of the default partition. Several
 * processes can do this at once. Returns false if something else used a table for too long, such as a backup: until the
 * next time, rows go to the default partition.
 */
export async function createPartitions(db: Kysely<Schema>, now: Date): Promise<boolean> {
  const months = Array.from({ length: monthsAhead + 1 }, (_, ahead) => monthOf(now, ahead));
  return unlessInUse(async () => {
    for (const table of partitionedTables) {
      const existing = new Set(await listPartitions(db, table));
      for (const month of months) {
        if (!existing.has(partitionName(table, month))) await createPartition(db, table, month);
      }
    }
  });
}

/** Returns false if another transaction uses a table for too long. */
async function unlessInUse(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (isTableInUse(error)) return false;
    throw error;
  }
}

/**
 * Drops the partitions of a table whose months ended at or before a given time, but not the default partition. If something
 * else uses the table for too long, such as a backup, the rest is dropped the next time.
 *
 * @returns The names of the dropped partitions.
 */
export async function dropPartitions(db: Kysely<Schema>, table: PartitionedTableName, before: Date): Promise<string[]> {
  const old = (await listPartitions(db, table)).filter((name) => {
    const month = monthOfPartition(table, name);
    return month !== undefined && startOf(nextMonth(month)) <= before;
  });
  const dropped: string[] = [];
  await unlessInUse(async () => {
    for (const name of old) {
      await withPartitionLock(db, (trx) => sql`drop table if exists ${sql.table(name)}`.execute(trx));
      dropped.push(name);
    }
  });
  return dropped;
}

/** Creates the partitions that another database has. */
export async function createPartitionsLike(db: Kysely<Schema>, other: Kysely<Schema>): Promise<void> {
  for (const table of partitionedTables) {
    for (const name of await listPartitions(other, table)) {
      const month = monthOfPartition(table, name);
      if (month) await createPartition(db, table, month);
    }
  }
}

/** Returns the names of a table's partitions, including the default one, in alphabetical order. */
export async function listPartitions(db: Kysely<Schema>, table: PartitionedTableName): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass order by name
  `.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Creates a partition in one transaction. The table is created separately and attached when it is complete, because a
 * partition cannot be created while the default partition holds its rows.
 */
async function createPartition(db: Kysely<Schema>, table: PartitionedTableName, month: Month): Promise<void> {
  const name = partitionName(table, month);
  const [partition, fallback] = [sql.table(name), sql.table(`${table}_default`)];
  const [from, to] = [month, nextMonth(month)].map((each) => sql.lit(lowestIdAt(startOf(each))));
  await withPartitionLock(db, async (trx) => {
    if ((await listPartitions(trx, table)).includes(name)) return;
    await sql`lock table ${fallback} in access exclusive mode`.execute(trx);
    // Moving many rows may take longer than the statement timeout, and would then never succeed.
    await sql`set local statement_timeout = 0`.execute(trx);
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

/** Runs an operation in a transaction that holds the partition lock and limits waiting for tables. */
function withPartitionLock<Result>(db: Kysely<Schema>, act: (trx: Kysely<Schema>) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.lit(PARTITION_LOCK)})`.execute(trx);
    return act(trx);
  });
}

/** Returns the columns without planner statistics, a setting that a new table does not inherit. */
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

function monthOf(time: Date, ahead: number): Month {
  const start = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + ahead));
  return { year: start.getUTCFullYear(), month: start.getUTCMonth() };
}

function nextMonth(month: Month): Month {
  return monthOf(startOf(month), 1);
}

function startOf({ year, month }: Month): Date {
  return new Date(Date.UTC(year, month));
}

/** Returns the start of a time's month, or of the month that was a number of months before, in UTC. */
export function startOfMonth(time: Date, monthsAgo = 0): Date {
  return startOf(monthOf(time, -monthsAgo));
}

/** Returns the lowest UUID whose first 48 bits are the time in Unix milliseconds. */
export function lowestIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
