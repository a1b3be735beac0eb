import { setTimeout as pause } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type pg from 'pg';
import { lazy } from '../../lazy.js';
import { OperatorError } from '../../operator-error.js';
import { createConnectionPool } from '../connection-pool.js';
import { dialectOver, type SqlPool } from '../dialect.js';
import { PostgresqlPool } from '../postgresql-pool.js';
import type { Schema } from '../schema/index.js';
import { type MonitorOptions, ReplicaMonitor, type ReplicaState } from './monitor.js';
import { hasReached, type LogPosition, laterOf } from './position-rules.js';
import { ReaderPool } from './reader-pool.js';
import { inspectPrimary, inspectStandby } from './server-queries.js';

/** Short, because the primary can answer instead. */
const TIMEOUT_MS = 2000;
/** How long a read that must see every earlier commit waits for the replica. */
const CATCH_UP_MS = 50;
const CATCH_UP_STEP_MS = 5;

export type { ReplicaState, ReplicaStatus } from './monitor.js';

export interface ReplicaOptions extends Pick<MonitorOptions, 'maxLagMs' | 'onChange'> {
  readonly url: string;
  readonly poolSize?: number | undefined;
  /** As of the primary. */
  readonly pooler?: boolean | undefined;
}

/** Standby of the database, for reads that may be a few seconds old. */
export interface ReadReplica {
  readonly maxLagMs: number;
  /** State at the last check. */
  readonly state: ReplicaState;
  /** Returns a position that includes everything that was committed before the call. */
  position(): Promise<LogPosition>;
  /**
   * Returns a database for the reads of one request. It reads from the replica if that is at most `maxLagMs` behind and has
   * reached `after`, and otherwise from the primary.
   */
  reader(after?: LogPosition): Kysely<Schema>;
  /** Returns a reader that sees everything that was committed before the call. Waits up to 50 ms for the replica. */
  currentReader(): Promise<Kysely<Schema>>;
  close(): Promise<void>;
}

interface Primary {
  readonly db: Kysely<Schema>;
  readonly pool: SqlPool;
}

/**
 * Opens a replica, and checks it every second from then on. If it cannot be used, reads go to the primary until it can.
 *
 * @throws OperatorError if it belongs to another database.
 */
export async function openReplica(primary: Primary, options: ReplicaOptions): Promise<ReadReplica> {
  const { url, pooler = false, poolSize, maxLagMs, onChange } = options;
  const shared = { url, pooler, connectTimeoutMs: TIMEOUT_MS };
  const connections = createConnectionPool({ ...shared, ...(poolSize !== undefined && { poolSize }) });
  const open = new Set<pg.PoolClient>();
  connections.on('connect', (client) => open.add(client)).on('remove', (client) => open.delete(client));
  const pool = new PostgresqlPool(connections, { namesStatements: !pooler });
  // A separate connection, so that long reads do not delay the checks.
  const checks = createConnectionPool({ ...shared, poolSize: 1, queryTimeoutMs: TIMEOUT_MS });
  const checked = new Kysely<Schema>({ dialect: dialectOver(new PostgresqlPool(checks, { namesStatements: false })) });
  const monitor = new ReplicaMonitor({
    primary: primary.db,
    replica: checked,
    maxLagMs,
    onChange,
    // Statements that a frozen server does not answer fail at once, and run on the primary.
    onUnreachable() {
      for (const { connection } of open) connection.stream.destroy();
    },
  });
  const reader = (after?: LogPosition) => {
    const requiredPosition = () => {
      const oldest = monitor.requiredPosition();
      return oldest === undefined || after === undefined ? oldest : laterOf(oldest, after);
    };
    const servers = { replica: pool, primary: primary.pool, requiredPosition };
    return new Kysely<Schema>({ dialect: dialectOver(new ReaderPool(servers)) });
  };
  const position = async () => (await inspectPrimary(primary.db)).position;
  const close = lazy(async () => {
    await monitor.stop();
    await Promise.all([connections.end(), checks.end()]);
  });
  if ((await monitor.check()).status === 'another_database') {
    await close();
    throw new OperatorError(anotherDatabase);
  }
  monitor.start();
  return {
    maxLagMs,
    get state() {
      return monitor.state;
    },
    position,
    reader,
    async currentReader() {
      if (monitor.state.status !== 'used') return primary.db;
      const now = await position();
      await catchUp(reader(), now);
      return reader(now);
    },
    close,
  };
}

/** Waits until a replica has reached a position, or for a while. */
async function catchUp(replica: Kysely<Schema>, position: LogPosition): Promise<void> {
  const end = performance.now() + CATCH_UP_MS;
  for (;;) {
    const standby = await inspectStandby(replica);
    const isReached = standby?.replayed == null || hasReached(standby.replayed, position);
    if (isReached || performance.now() >= end) return;
    await pause(CATCH_UP_STEP_MS);
  }
}

const anotherDatabase =
  'DATABASE_REPLICA_URL leads to another database than DATABASE_URL: set it to the address of a streaming standby of that server, with the same database.';
