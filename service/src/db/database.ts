import { join } from 'node:path';
import { Kysely } from 'kysely';
import pg from 'pg';
import { dialectOver } from './dialect.js';
import { lockFolder } from './folder-lock.js';
import { explainDatabaseFolder, explainFolder } from './folder-problem.js';
import { NamedPool } from './named-pool.js';
import { type Listener, listenOnPostgresql, type StopListening } from './notifications.js';
import { numberTypes } from './number-types.js';
import type { Schema } from './schema/index.js';

/** In a folder of ours, what belongs to PGlite. */
const EMBEDDED_FOLDER = 'database';
const DEFAULT_POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 10_000;
/** A new connection prepares each statement anew, so that after a lull the first requests would wait many times as long. */
const IDLE_TIMEOUT_MS = 30 * 60_000;
/** Above what any request may take (10 s), so that the request gives up first and its work soon after. */
const STATEMENT_TIMEOUT_MS = 15_000;

export type DatabaseKind = 'embedded' | 'postgresql';

export type DatabaseOptions = EmbeddedOptions | PostgresqlOptions;

export interface EmbeddedOptions {
  readonly kind: 'embedded';
  /** Made if it is not there; for one process at a time. */
  readonly folder: string;
}

export interface PostgresqlOptions {
  readonly kind: 'postgresql';
  readonly url: string;
  /** Connections at most. Default: 10. */
  readonly poolSize?: number;
  /** Whether a pooler that gives out connections by transaction stands between: nothing is prepared. Default: false. */
  readonly pooler?: boolean;
  /** Told of connections that break while nobody uses them; the pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/**
 * A database that is open. On both kinds, bigint and numeric are read as numbers, bytea as Uint8Array, jsonb as what
 * it holds, timestamptz as Date.
 */
export interface OpenDatabase {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Schema>;
  /**
   * Hears what is told on a channel (`pg_notify`), by whichever process. Absent behind a pooler, which cannot do that.
   */
  readonly listen?: (channel: string, listener: Listener) => Promise<StopListening>;
  close(): Promise<void>;
}

/**
 * Opens a database, and leaves its tables as they are: see migrate. PostgreSQL is connected to on the first query.
 *
 * @throws OperatorError if another process has the folder, or it cannot be written.
 */
export function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  return options.kind === 'embedded' ? openEmbedded(options) : openPostgresql(options);
}

async function openEmbedded({ folder }: EmbeddedOptions): Promise<OpenDatabase> {
  // Beside PostgreSQL, nothing of it is loaded.
  const { EmbeddedPool } = await import('./embedded-pool.js');
  const lock = await lockFolder(folder).catch((error: unknown) => {
    throw explainFolder(folder, error);
  });
  const pool = await EmbeddedPool.open(join(folder, EMBEDDED_FOLDER)).catch(async (error: unknown) => {
    await lock.release();
    throw explainDatabaseFolder(folder, error);
  });
  const db = new Kysely<Schema>({ dialect: dialectOver(pool) });
  const close = once(async () => {
    await pool.end();
    await lock.release();
  });
  return {
    kind: 'embedded',
    db,
    listen: (channel, { onMessage }) => pool.listen(channel, onMessage),
    close,
  };
}

async function openPostgresql({ url, poolSize, pooler, onIdleError }: PostgresqlOptions): Promise<OpenDatabase> {
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
    // Poolers refuse what they do not know at the start of a connection; there the client gives up instead.
    ...(pooler ? { query_timeout: STATEMENT_TIMEOUT_MS } : { statement_timeout: STATEMENT_TIMEOUT_MS }),
  });
  // Without a listener, a connection that breaks would end the process: while nobody uses it, and while somebody does.
  pool.on('error', (error) => onIdleError?.(error));
  // Whoever uses it is told by the query, and the pool takes it back no more.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Schema>({ dialect: dialectOver(pooler ? pool : new NamedPool(pool)) });
  const listen: OpenDatabase['listen'] = (channel, listener) => listenOnPostgresql(url, channel, listener);
  return { kind: 'postgresql', db, ...(!pooler && { listen }), close: once(() => pool.end()) };
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}
