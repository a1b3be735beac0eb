import { type Kysely, sql } from 'kysely';
import { OperatorError } from '../operator-error.js';
import { addForeignKeys, dropForeignKeys, listForeignKeys } from './foreign-key-queries.js';
import { hasTable, migrate } from './migrate.js';
import { copyTable, type Progress, readProgress, startProgress, tablesToMove } from './move-tables.js';
import { createPartitionsLike } from './partitions.js';
import type { Schema } from './schema/index.js';

/** Advisory lock on the target, held while a move runs. */
const MOVE_LOCK = 7_261_549_005;
/** How long to wait for the lock: the server may not have noticed yet that an earlier move was killed. */
const LOCK_TIMEOUT = '10s';
/** Both databases must print values in the same way. */
const sessionSettings = [
  'set statement_timeout = 0',
  `set timezone = 'UTC'`,
  `set datestyle = 'ISO'`,
  `set intervalstyle = 'postgres'`,
  'set extra_float_digits = 1',
  `set bytea_output = 'hex'`,
];
const unfinished = 'The move of the embedded database into this PostgreSQL database was interrupted';

export interface MoveOptions {
  readonly from: Kysely<Schema>;
  readonly to: Kysely<Schema>;
  /** Number of rows that are copied at a time. */
  readonly batchRows: number;
  readonly report: (line: string) => void;
}

interface Content {
  readonly rows: number;
  /** Hash of all rows, which does not depend on their order. */
  readonly digest: string;
}

/**
 * Copies all rows of the embedded database to an empty PostgreSQL database, and compares both by number of rows and
 * digest. Continues a move that was interrupted. No process may use either database meanwhile.
 *
 * @returns the number of rows.
 * @throws OperatorError if the target has tables already, or differs from the source afterwards.
 */
export async function moveDatabase({ from, to, ...options }: MoveOptions): Promise<number> {
  await migrate(from);
  return from.connection().execute((source) =>
    to.connection().execute(async (target) => {
      await lockTarget(target);
      return copyAndCompare({ from: source, to: target, ...options });
    }),
  );
}

/** @throws OperatorError if a move into this database was interrupted. It must not be used before it is complete. */
export async function refuseUnfinishedMove(db: Kysely<Schema>): Promise<void> {
  if (!(await hasTable(db, 'move_progress'))) return;
  throw new OperatorError(`${unfinished}: run "whorl-service move" again, or set DATABASE_URL to another database.`);
}

async function copyAndCompare({ from, to, batchRows, report }: MoveOptions): Promise<number> {
  const progress = await prepare(from, to);
  // After the migration, which resets the statement timeout.
  for (const setting of sessionSettings) {
    for (const db of [from, to]) await sql.raw(setting).execute(db);
  }
  for (const table of tablesToMove) {
    await copyTable({ from, to, table, batchRows, progress: progress.get(table), report });
  }
  report('Checking foreign keys');
  await addForeignKeys(to, await listForeignKeys(from));
  let rows = 0;
  for (const table of tablesToMove) {
    report(`Comparing ${table}`);
    rows += await compare(from, to, table);
    await sql`analyze ${sql.table(table)}`.execute(to);
  }
  await sql`drop table move_progress`.execute(to);
  return rows;
}

/** Creates the target's tables and partitions, without foreign keys, unless an earlier move did. */
async function prepare(from: Kysely<Schema>, to: Kysely<Schema>): Promise<Map<string, Progress>> {
  if (!(await hasTable(to, 'move_progress'))) {
    await refuseTables(to);
    await startProgress(to);
  }
  await migrate(to);
  await createPartitionsLike(to, from);
  // Rows refer to others of their own table, also to later ones.
  await dropForeignKeys(to, await listForeignKeys(to));
  return readProgress(to);
}

async function lockTarget(target: Kysely<Schema>): Promise<void> {
  await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(target);
  try {
    await sql`select pg_advisory_lock(${sql.lit(MOVE_LOCK)})`.execute(target);
  } catch (cause) {
    throw new OperatorError('Another move into this PostgreSQL database is running: wait until it has ended.', {
      cause,
    });
  }
  await sql`set lock_timeout = 0`.execute(target);
}

async function refuseTables(target: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by name limit 1
  `.execute(target);
  if (!rows[0]) return;
  throw new OperatorError(
    `The PostgreSQL database is not empty: it has the table "${rows[0].name}". Create an empty database for the move.`,
  );
}

async function compare(from: Kysely<Schema>, to: Kysely<Schema>, table: string): Promise<number> {
  const [source, target] = [await contentOf(from, table), await contentOf(to, table)];
  if (source.rows === target.rows && source.digest === target.digest) return source.rows;
  throw new OperatorError(
    `The table "${table}" differs after the move: ${source.rows} rows with the digest ${source.digest} in the embedded ` +
      `database, ${target.rows} rows with the digest ${target.digest} in PostgreSQL. If the service ran in between, ` +
      'that is why. Create an empty database and move again.',
  );
}

/** Two sums of parts of the rows' hashes: the databases may sort texts in different orders. */
async function contentOf(db: Kysely<Schema>, table: string): Promise<Content> {
  const part = (start: number) =>
    sql`coalesce(sum(('x' || substr(hash, ${sql.lit(start)}, 16))::bit(64)::bigint), 0)::text`;
  const { rows } = await sql<Content>`
    select count(*) as rows, md5(${part(1)} || ' ' || ${part(17)}) as digest
    from (select encode(sha256(convert_to(t::text, 'UTF8')), 'hex') as hash from ${sql.table(table)} as t) as hashes
  `.execute(db);
  if (!rows[0]) throw new Error(`Counting ${table} returned nothing`);
  return rows[0];
}
