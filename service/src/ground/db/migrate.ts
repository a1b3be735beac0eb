import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { OperatorError } from '../operator-error.js';
import { isTableInUse } from './availability.js';
import { distributeNewTables } from './distribution/distribute.js';
import { migrations } from './migrations/index.js';
import type { Schema } from './schema/index.js';

/** Advisory lock that processes starting at the same time wait for. */
const MIGRATION_LOCK = 7_261_549_003;
/** Requests wait behind a migration that waits for a table, so it gives up soon, and tries again later. */
const LOCK_TIMEOUT = '5s';
const PAUSE_MS = 2_000;
const MAX_ATTEMPTS = 8;

/**
 * Runs pending migrations in one transaction and returns their names. Several processes can do this at once: one runs
 * them, the others wait.
 *
 * @throws OperatorError if the database has migrations that this version does not know, or something else uses a table for
 *   a minute, such as a backup.
 */
export async function migrate(db: Kysely<Schema>, known: Record<string, Migration> = migrations): Promise<string[]> {
  // The tables are up to date at almost every start, so check that before locking.
  if (await isUpToDate(db, known)) return [];
  const attempt = () =>
    withMigrationLock(db, async (connection) => {
      if (await isUpToDate(connection, known)) return [];
      return runMigrations(connection, known);
    });
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTableInUse(error)) throw error;
      if (attempts === MAX_ATTEMPTS) throw new OperatorError(tableInUse, { cause: error });
    }
    await pause(PAUSE_MS);
  }
}

const tableInUse =
  'The database could not be migrated, because something else uses its tables, such as a backup: try again when it has ended.';

/** Runs an operation on a connection that holds the migration lock. */
function withMigrationLock<Result>(
  db: Kysely<Schema>,
  act: (connection: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  return db.connection().execute(async (connection) => {
    // Waiting for the lock, or a migration, may take longer than the statement timeout.
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK)})`.execute(connection);
    await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(connection);
    try {
      return await act(connection);
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)})`.execute(connection);
      await sql`reset lock_timeout`.execute(connection);
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}

export async function hasTable(db: Kysely<Schema>, name: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${name}) is not null as exists`.execute(db);
  return rows[0]?.exists === true;
}

/**
 * Returns whether all migrations have run. Kysely's own check lists all tables several times, which takes the embedded
 * database half a second.
 *
 * @throws OperatorError if the database has migrations that this version does not know.
 */
export async function isUpToDate(db: Kysely<Schema>, known: Record<string, Migration> = migrations): Promise<boolean> {
  if (!(await hasTable(db, 'kysely_migration'))) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc`.execute(db);
  const unknown = rows.find(({ name }) => !(name in known));
  if (unknown) {
    throw new OperatorError(
      `The database was created by a newer version of the service (it has the migration "${unknown.name}"): run that version.`,
    );
  }
  return rows.length === Object.keys(known).length;
}

/**
 * Returns whether the database has all tables that this version needs. It may have newer ones: during an upgrade, older
 * processes still run.
 */
export async function hasAllMigrations(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const done = new Set(rows.map(({ name }) => name));
  return Object.keys(migrations).every((name) => done.has(name));
}

const minVersion = 14;

/** @throws OperatorError if a new database does not have what this version needs. */
async function requireSupported(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding
  `.execute(db);
  for (const { version, encoding } of rows) {
    if (version < minVersion) {
      throw new OperatorError(`PostgreSQL ${version} is too old: version ${minVersion} or newer is needed.`);
    }
    if (encoding !== 'UTF8') {
      throw new OperatorError(`The database has the encoding ${encoding}: create it again with the encoding UTF8.`);
    }
  }
}

async function runMigrations(db: Kysely<Schema>, known: Record<string, Migration>): Promise<string[]> {
  if (!(await hasTable(db, 'kysely_migration'))) await requireSupported(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  await distributeNewTables(db);
  return results.map(({ migrationName }) => migrationName);
}
