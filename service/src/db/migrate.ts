import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { OperatorError } from '../operator-error.js';
import { migrations } from './migrations/index.js';
import type { Schema } from './schema/index.js';

/** Of PostgreSQL's advisory locks, the one that processes which start at once line up at. */
const MIGRATION_LOCK = 7_261_549_003;

/**
 * Brings the tables up to date, and answers the names of the migrations that it ran. Safe while other processes do the
 * same: one runs them, the others wait. Each run is one transaction.
 *
 * @throws OperatorError if the database knows migrations that this version does not.
 */
export async function migrate(db: Kysely<Schema>, known: Record<string, Migration> = migrations): Promise<string[]> {
  // So it is at almost every start: nobody is waited for then.
  if (await isUpToDate(db, known)) return [];
  return aloneMigrating(db, async (connection) => {
    if (await isUpToDate(connection, known)) return [];
    return runMigrations(connection, known);
  });
}

/** Does something while no other process changes tables, on a connection for which it holds a lock. */
function aloneMigrating<Result>(
  db: Kysely<Schema>,
  act: (connection: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  return db.connection().execute(async (connection) => {
    // Others may wait longer than a statement may take, and a migration may take longer as well.
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`select pg_advisory_lock(${sql.lit(MIGRATION_LOCK)})`.execute(connection);
    try {
      return await act(connection);
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(MIGRATION_LOCK)})`.execute(connection);
      await sql`reset statement_timeout`.execute(connection);
    }
  });
}

/**
 * Whether all migrations have run. Kysely could tell as well, but it lists all tables several times to do so, which takes
 * the embedded database half a second.
 *
 * @throws OperatorError if the database knows migrations that this version does not.
 */
async function isUpToDate(db: Kysely<Schema>, known: Record<string, Migration>): Promise<boolean> {
  const found = await sql<{ name: string | null }>`select to_regclass('kysely_migration') as name`.execute(db);
  if (found.rows[0]?.name == null) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc`.execute(db);
  const unknown = rows.find(({ name }) => !(name in known));
  if (unknown) {
    throw new OperatorError(
      `The database was made by a newer version of the service (it has the migration "${unknown.name}"): run that version.`,
    );
  }
  return rows.length === Object.keys(known).length;
}

async function runMigrations(db: Kysely<Schema>, known: Record<string, Migration>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}
