import { join } from 'node:path';
import { Kysely } from 'kysely';
import { lazy } from '../lazy.js';
import { OperatorError } from '../operator-error.js';
import { createConnectionPool } from './connection-pool.js';
import { dialectOver } from './dialect.js';
import { lockFolder } from './folder-lock.js';
import { explainDatabaseFolder, explainFolder } from './folder-problem.js';
import { type Listener, listenOnPostgresql, type StopListening } from './notifications.js';
import { PostgresqlPool } from './postgresql-pool.js';
import { openReplica, type ReadReplica, type ReplicaOptions } from './replica/replica.js';
import type { Schema } from './schema/index.js';

/** Subfolder of the data folder for PGlite's files. */
const EMBEDDED_FOLDER = 'database';

export type DatabaseKind = 'embedded' | 'postgresql';

export type DatabaseOptions = EmbeddedOptions | PostgresqlOptions;

export interface EmbeddedOptions {
  readonly kind: 'embedded';
  /** Data folder, created if it does not exist. Only one process can use it at a time. */
  readonly folder: string;
}

export interface PostgresqlOptions {
  readonly kind: 'postgresql';
  readonly url: string;
  /** Maximum number of connections. Default: 10. */
  readonly poolSize?: number;
  /**
   * Whether a pooler that assigns connections per transaction is in between. If so, statements are not prepared.
   * Default: false.
   */
  readonly pooler?: boolean;
  /** URL without a pooler in between, for what needs a session. Default: none with a pooler, otherwise `url`. */
  readonly directUrl?: string | undefined;
  /** Called when an idle connection breaks. The pool replaces it by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * Open database. Both kinds return bigint and numeric as numbers, bytea as Uint8Array, jsonb as parsed JSON, and
 * timestamptz as Date.
 */
export interface OpenDatabase {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Schema>;
  /**
   * Runs an operation that sets session variables or locks sessions, such as a migration.
   *
   * @throws OperatorError if only a pooler is known, whose sessions change from transaction to transaction.
   */
  withSession<Result>(act: (db: Kysely<Schema>) => Promise<Result>): Promise<Result>;
  /**
   * Listens for notifications on a channel (`pg_notify`) from any process. Absent if only a pooler is known, which does
   * not support this.
   */
  readonly listen?: (channel: string, listener: Listener) => Promise<StopListening>;
  /**
   * Opens a standby for reads. Absent with the embedded database.
   *
   * @throws OperatorError if it belongs to another database.
   */
  readonly openReplica?: (options: Pick<ReplicaOptions, 'url' | 'maxLagMs' | 'onChange'>) => Promise<ReadReplica>;
  close(): Promise<void>;
}

/**
 * Opens a database without changing its tables: see `migrate`. With PostgreSQL, the first query opens the connection.
 *
 * @throws OperatorError if another process uses the folder, or it is not writable.
 */
export function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  return options.kind === 'embedded' ? openEmbedded(options) : openPostgresql(options);
}

async function openEmbedded({ folder }: EmbeddedOptions): Promise<OpenDatabase> {
  // Loaded only if needed: PostgreSQL does not use it.
  const { EmbeddedPool } = await import('./embedded-pool.js');
  const lock = await lockFolder(folder).catch((error: unknown) => {
    throw explainFolder(folder, error);
  });
  const pool = await EmbeddedPool.open(join(folder, EMBEDDED_FOLDER)).catch(async (error: unknown) => {
    await lock.release();
    throw explainDatabaseFolder(folder, error);
  });
  const db = new Kysely<Schema>({ dialect: dialectOver(pool) });
  const close = lazy(async () => {
    await pool.end();
    await lock.release();
  });
  return {
    kind: 'embedded',
    db,
    withSession: (act) => act(db),
    listen: (channel, { onMessage }) => pool.listen(channel, onMessage),
    close,
  };
}

async function openPostgresql(options: PostgresqlOptions): Promise<OpenDatabase> {
  const { url, poolSize, pooler, directUrl = pooler ? undefined : url } = options;
  const pool = createConnectionPool(options);
  const primary = new PostgresqlPool(pool, { namesStatements: !pooler });
  const db = new Kysely<Schema>({ dialect: dialectOver(primary) });
  return {
    kind: 'postgresql',
    db,
    async withSession(act) {
      if (!pooler) return act(db);
      if (directUrl === undefined) throw new OperatorError(directUrlNeeded);
      const direct = await openPostgresql({ kind: 'postgresql', url: directUrl, poolSize: 1 });
      return act(direct.db).finally(direct.close);
    },
    ...(directUrl && {
      listen: (channel: string, listener: Listener) => listenOnPostgresql(directUrl, channel, listener),
    }),
    openReplica: (replica) => openReplica({ db, pool: primary }, { ...replica, poolSize, pooler }),
    close: lazy(() => pool.end()),
  };
}

const directUrlNeeded =
  'This changes the tables, which does not work through a pooler: set DATABASE_DIRECT_URL to an address of PostgreSQL itself.';
