import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema/index.js';

/** Whether the database runs inside this process: then nobody else vacuums it, as PostgreSQL's autovacuum does. */
async function isEmbedded(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ backend_type: string }>`
    select backend_type from pg_stat_activity where pid = pg_backend_pid()
  `.execute(db);
  return rows[0]?.backend_type === 'standalone backend';
}

/**
 * Frees the room of rows that are gone, and brings the planner's figures up to date, where nobody else does. Table by
 * table, so that others come between.
 */
export async function vacuumEmbedded(db: Kysely<Schema>): Promise<void> {
  if (!(await isEmbedded(db))) return;
  for (const table of await ownTables(db)) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db);
}

/**
 * Rewrites all tables, so that nothing is left in their files of rows that were erased, and on the embedded database
 * lets go of the log that held them. On PostgreSQL the log is the server's, and this answers false: see docs/erasure.md.
 * Nothing else can use a table while it is rewritten.
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
  // Recycled segments would keep their content until they are written over.
  await sql`set wal_recycle = off`.execute(connection);
  await sql`select pg_switch_wal()`.execute(connection);
  await sql`checkpoint`.execute(connection);
  await sql`reset wal_recycle`.execute(connection);
}

/** Returns the names of all tables. Partitions are left out: vacuuming their table includes them. */
async function ownTables(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by name
  `.execute(db);
  return rows.map(({ name }) => name);
}
