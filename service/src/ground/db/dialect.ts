import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { nameUnavailable } from './availability.js';

/** Connection pool of a PostgreSQL database, as used by Kysely. */
export interface SqlPool {
  /** Returns a connection for exclusive use until it is released. */
  connect(): Promise<SqlClient>;
  end(): Promise<void>;
}

export interface SqlClient {
  query(text: string, values: unknown[]): Promise<SqlResult>;
  release(): void;
  /**
   * Holds back what is sent until `uncork`, so that several statements take one round trip. Absent if the connection
   * cannot accept a statement before the previous one has ended.
   */
  readonly cork?: () => void;
  readonly uncork?: () => void;
}

export interface SqlResult {
  readonly rows: unknown[];
  readonly rowCount?: number | null | undefined;
  /** Command tag from the server, such as INSERT. */
  readonly command?: string | undefined;
}

const changingCommands = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Returns Kysely's PostgreSQL dialect on a pool: of a PostgreSQL server, or of the embedded database. */
export function dialectOver(pool: SqlPool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PoolDriver(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Connection that can send statements without waiting for their results. */
export class PoolConnection implements DatabaseConnection {
  readonly client: SqlClient;
  #sent: Promise<unknown>[] = [];

  constructor(client: SqlClient) {
    this.client = client;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, rowCount, command } = await this.run(sql, parameters);
    return {
      // The query, which Kysely has typed, determines the type of the rows.
      rows: rows as Row[],
      ...(changingCommands.has(command ?? '') && { numAffectedRows: BigInt(rowCount ?? 0) }),
    };
  }

  /**
   * Sends a statement together with the next one, which also reports its failure. Only in a transaction, which always
   * ends with another statement. Waits for the result where the connection cannot send statements together.
   */
  async sendWithNext(text: string, values: readonly unknown[] = []): Promise<void> {
    if (!this.client.cork) {
      await this.run(text, values);
      return;
    }
    if (this.#sent.length === 0) this.client.cork();
    const sent = this.client.query(text, [...values]);
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }

  async run(text: string, values: readonly unknown[] = []): Promise<SqlResult> {
    try {
      return await (this.#sent.length === 0 ? this.client.query(text, [...values]) : this.#runWithSent(text, values));
    } catch (error) {
      throw nameUnavailable(error);
    }
  }

  async #runWithSent(text: string, values: readonly unknown[]): Promise<SqlResult> {
    const sent = this.#sent;
    this.#sent = [];
    const result = this.client.query(text, [...values]);
    this.client.uncork?.();
    // The first failure is the cause of the others.
    return (await Promise.all([result, ...sent]))[0];
  }

  async *streamQuery(): AsyncIterableIterator<never> {
    yield* [];
    throw new Error('Streaming is not supported: read in pages');
  }
}

class PoolDriver implements Driver {
  readonly #pool: SqlPool;

  constructor(pool: SqlPool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PoolConnection> {
    try {
      return new PoolConnection(await this.#pool.connect());
    } catch (error) {
      throw nameUnavailable(error);
    }
  }

  async beginTransaction(connection: PoolConnection, settings: TransactionSettings): Promise<void> {
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : '';
    await connection.sendWithNext(`begin${level}${settings.accessMode ? ` ${settings.accessMode}` : ''}`);
  }

  /** After a failed statement, `commit` rolls back and reports success. This must not be mistaken for a commit. */
  async commitTransaction(connection: PoolConnection): Promise<void> {
    const { command } = await connection.run('commit');
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back because one of its statements failed');
  }

  async rollbackTransaction(connection: PoolConnection): Promise<void> {
    await connection.run('rollback');
  }

  async releaseConnection({ client }: PoolConnection): Promise<void> {
    client.release();
  }

  destroy(): Promise<void> {
    return this.#pool.end();
  }
}
