import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema/index.js';

/** Returns whether the database runs in this process, where there is no autovacuum as in PostgreSQL. */
async function isEmbedded(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ backend_type: string }>`
    select backend_type from pg_stat_activity where pid = pg_backend_pid()
  `.execute(db);
  return rows[0]?.backend_type === 'standalone backend';
}

/**
 * Frees the space of deleted rows and updates the planner's statistics in the embedded database, which has no
 * autovacuum. Works table by table, so that other queries can run in between.
 */
export async function vacuumEmbedded(db: Kysely<Schema>): Promise<void> {
  if (!(await isEmbedded(db))) return;
  for (const table of await ownTables(db)) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db);
}

/**
 * Updates the planner's statistics of the embedded database's tables with as many changes as autovacuum waits for by
 * default. Prepared statements keep their plans until then, and plans for a table of a few rows scan all of it.
 */
export async function analyzeEmbedded(db: Kysely<Schema>): Promise<void> {
  if (!(await isEmbedded(db))) return;
  const { rows } = await sql<{ name: string }>`
    select s.schemaname || '.' || s.relname as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema() and s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0) order by name
  `.execute(db);
  for (const { name } of rows) await sql`analyze ${sql.table(name)}`.execute(db);
}

/**
 * Rewrites all tables, so that their files no longer contain erased rows, and in the embedded database discards the
 * write-ahead log that contained them. Returns false on PostgreSQL, where the log belongs to the server: see
 * docs/erasure.md. Each table is locked while it is rewritten.
 */
export async function compact(db: Kysely<Schema>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    for (const table of await ownTables(connection)) {
      await sql`vacuum (full, analyze) ${sql.table(table)}`.execute(connection);
    }
    const isOurs = await isEmbedded(connection);
    if (isOurs) await dropLog(connection);
    await sql`reset statement_timeout`.execute(connection);
    return isOurs;
  });
}

async function dropLog(connection: Kysely<Schema>): Promise<void> {
  // Recycled segments would keep their content until they are overwritten.
  await sql`set wal_recycle = off`.execute(connection);
  await sql`select pg_switch_wal()`.execute(connection);
  await sql`checkpoint`.execute(connection);
  await sql`reset wal_recycle`.execute(connection);
}

/** Returns the names of all tables. Partitions are left out: vacuuming their table includes them. */
async function ownTables(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition order by name
  `.execute(db);
  return rows.map(({ name }) => name);
}
