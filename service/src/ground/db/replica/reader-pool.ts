import { DatabaseUnavailableError } from '../availability.js';
import type { SqlClient, SqlPool, SqlResult } from '../dialect.js';
import type { LogPosition } from './position-rules.js';

/** "Read-only transaction", and a cancelled statement, for which the primary would take as long. */
const finalStates = new Set(['25006', '57014']);

/** Whether a server is a standby that has reached a position. */
const checkText = 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as is_usable';

/** A standby failed within a transaction. Repeated, the transaction runs on the primary. */
export class ReplicaFailedError extends DatabaseUnavailableError {
  constructor(options: ErrorOptions) {
    super('The read replica failed within a transaction', options);
    this.name = 'ReplicaFailedError';
  }
}

export interface ReaderServers {
  readonly replica: SqlPool;
  readonly primary: SqlPool;
  /** Returns the position that the standby must have reached. Undefined if it cannot be used. */
  requiredPosition(): LogPosition | undefined;
}

/**
 * Connections for reads of one request: to a standby, and to the primary once the standby fails or has not reached the
 * required position. A statement that fails on the standby is repeated on the primary. Each connection to the standby is
 * checked, because the address may lead to several servers.
 */
export class ReaderPool implements SqlPool {
  readonly #servers: ReaderServers;
  #usesPrimary = false;

  constructor(servers: ReaderServers) {
    this.#servers = servers;
  }

  async connect(): Promise<SqlClient> {
    const client = await this.#connectToReplica();
    return client ? this.#withPrimaryBehind(client) : this.#servers.primary.connect();
  }

  /** Does nothing: the pools behind it belong to others. */
  async end(): Promise<void> {}

  async #connectToReplica(): Promise<SqlClient | undefined> {
    const position = this.#usesPrimary ? undefined : this.#servers.requiredPosition();
    if (position === undefined) return undefined;
    let client: SqlClient | undefined;
    try {
      client = await this.#servers.replica.connect();
      const { rows } = await client.query(checkText, [position]);
      if (isUsable(rows[0])) return client;
    } catch {
      // The monitor of the replica reports it.
    }
    client?.release();
    this.#usesPrimary = true;
    return undefined;
  }

  #withPrimaryBehind(replica: SqlClient): SqlClient {
    let client = replica;
    let isInTransaction = false;
    const query = async (text: string, values: unknown[]): Promise<SqlResult> => {
      if (client !== replica) return client.query(text, values);
      // The failure that it follows is the one to report.
      if (text === 'rollback') return replica.query(text, values).catch(() => ({ rows: [], command: 'ROLLBACK' }));
      isInTransaction ||= text.startsWith('begin');
      try {
        return await replica.query(text, values);
      } catch (error) {
        if (isFinal(error)) throw error;
        this.#usesPrimary = true;
        if (isInTransaction) throw new ReplicaFailedError({ cause: error });
        const primary = await this.#servers.primary.connect();
        replica.release();
        client = primary;
        return primary.query(text, values);
      }
    };
    return { query, release: () => client.release() };
  }
}

function isUsable(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'is_usable' in row && row.is_usable === true;
}

function isFinal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && finalStates.has(error.code);
}
