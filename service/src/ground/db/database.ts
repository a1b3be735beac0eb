import { join } from 'node:path';
import { Kysely } from 'kysely';
import pg from 'pg';
import { lazy } from '../lazy.js';
import { OperatorError } from '../operator-error.js';
import { minuteMs } from '../time.js';
import { dialectOver } from './dialect.js';
import { lockFolder } from './folder-lock.js';
import { explainDatabaseFolder, explainFolder } from './folder-problem.js';
import { type Listener, listenOnPostgresql, type StopListening } from './notifications.js';
import { numberTypes } from './number-types.js';
import { PostgresqlPool } from './postgresql-pool.js';
import type { Schema } from './schema/index.js';

/** Subfolder of the data folder for PGlite's files. */
const EMBEDDED_FOLDER = 'database';
const DEFAULT_POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Long, because a new connection must prepare every statement again, which would slow down the first requests after an
 * idle period.
 */
const IDLE_TIMEOUT_MS = 30 * minuteMs;
/** Longer than the time limit of requests (10 s), so that the request is cancelled first and its query soon after. */
const STATEMENT_TIMEOUT_MS = 15_000;

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
  const { url, poolSize, pooler, directUrl = pooler ? undefined : url, onIdleError } = options;
  const types = new pg.TypeOverrides();
  for (const type of numberTypes) types.setTypeParser(type, Number);
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: poolSize ?? DEFAULT_POOL_SIZE,
    application_name: 'whorl',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    // A connection sends statements without waiting for the results of earlier ones.
    pipeline: !pooler,
    // Poolers reject unknown start-up parameters, so behind a pooler the client enforces the timeout.
    ...(pooler ? { query_timeout: STATEMENT_TIMEOUT_MS } : { statement_timeout: STATEMENT_TIMEOUT_MS }),
  });
  // Without error listeners, a broken connection would end the process, whether it is idle or in use.
  pool.on('error', (error) => onIdleError?.(error));
  // If it is in use, the query rejects and the pool discards the connection.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Schema>({ dialect: dialectOver(new PostgresqlPool(pool, { namesStatements: !pooler })) });
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
    close: lazy(() => pool.end()),
  };
}

const directUrlNeeded =
  'This changes the tables, which does not work through a pooler: set DATABASE_DIRECT_URL to an address of PostgreSQL itself.';
