import pg from 'pg';
import { minuteMs } from '../time.js';
import { numberTypes } from './number-types.js';

const DEFAULT_POOL_SIZE = 10;
const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
/**
 * Long, because a new connection must prepare every statement again, which would slow down the first requests after an
 * idle period.
 */
const IDLE_TIMEOUT_MS = 30 * minuteMs;
/**
 * Compiling a statement to machine code takes seconds where a table has many partitions, and saves less than it takes.
 * PostgreSQL does it by default for statements that it expects to be expensive (https://www.postgresql.org/docs/current/jit.html).
 */
const WITHOUT_JIT = '-c jit=off';
/** The client reads times in this style only. A role or a database may have another one. */
const ISO_TIMES = '-c datestyle=ISO';
const OWN_OPTIONS = `${WITHOUT_JIT} ${ISO_TIMES}`;
/** Longer than the time limit of requests (10 s), so that the request is cancelled first and its query soon after. */
const STATEMENT_TIMEOUT_MS = 15_000;

export interface ConnectionPoolOptions {
  readonly url: string;
  /** Maximum number of connections. Default: 10. */
  readonly poolSize?: number;
  /** Whether a pooler that assigns connections per transaction is in between. Default: false. */
  readonly pooler?: boolean;
  /** Default: 10,000. */
  readonly connectTimeoutMs?: number;
  /** Time after which this process gives a statement up. Default: none, since the server cancels it after 15 s. */
  readonly queryTimeoutMs?: number;
  /** Called when an idle connection breaks. The pool replaces it by itself. */
  readonly onIdleError?: (error: Error) => void;
}

/** Creates a pool of connections to PostgreSQL, which connects at the first query. */
export function createConnectionPool(options: ConnectionPoolOptions): pg.Pool {
  const { url, poolSize, pooler, onIdleError, connectTimeoutMs, queryTimeoutMs } = options;
  const types = new pg.TypeOverrides();
  for (const type of numberTypes) types.setTypeParser(type, Number);
  // Poolers reject unknown start-up parameters, so behind a pooler the client enforces the timeout.
  const clientTimeoutMs = queryTimeoutMs ?? (pooler ? STATEMENT_TIMEOUT_MS : undefined);
  const pool = new pg.Pool({
    connectionString: pooler ? url : withOwnOptions(url),
    types,
    max: poolSize ?? DEFAULT_POOL_SIZE,
    application_name: 'whorl',
    connectionTimeoutMillis: connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    // A connection sends statements without waiting for the results of earlier ones.
    pipeline: !pooler,
    ...(clientTimeoutMs !== undefined && { query_timeout: clientTimeoutMs }),
    ...(!pooler && { statement_timeout: STATEMENT_TIMEOUT_MS, options: OWN_OPTIONS }),
  });
  // Without error listeners, a broken connection would end the process, whether it is idle or in use.
  pool.on('error', (error) => onIdleError?.(error));
  // If it is in use, the query rejects and the pool discards the connection.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Puts our options before those of the URL, which take the place of the pool's and so have the last word. */
function withOwnOptions(url: string): string {
  if (!URL.canParse(url)) return url;
  const changed = new URL(url);
  const own = changed.searchParams.get('options');
  if (own === null) return url;
  changed.searchParams.set('options', `${OWN_OPTIONS} ${own}`);
  return changed.href;
}
