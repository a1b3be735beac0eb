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
}

export interface SqlResult {
  readonly rows: unknown[];
  readonly rowCount?: number | null | undefined;
  /** Command tag from the server, such as INSERT. */
  readonly command?: string | undefined;
}

const changingCommands = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/**
 * Returns Kysely's PostgreSQL dialect on a pool: of a PostgreSQL server, or of the embedded database.
 *
 * @param pipelines Whether a connection runs statements in the order in which they were sent, without waiting for results.
 */
export function dialectOver(pool: SqlPool, { pipelines = false } = {}): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PoolDriver(pool, pipelines),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class PoolConnection implements DatabaseConnection {
  readonly client: SqlClient;
  #begun: Promise<unknown> | undefined;

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

  /** Begins a transaction without waiting for it, so that its first statement is sent in the same round trip. */
  begin(text: string): void {
    this.#begun = this.client.query(text, []);
    // The first statement reports the failure.
    this.#begun.catch(() => undefined);
  }

  async run(text: string, values: readonly unknown[] = []): Promise<SqlResult> {
    const begun = this.#begun;
    this.#begun = undefined;
    try {
      const [result] = await Promise.all([this.client.query(text, [...values]), begun]);
      return result;
    } catch (error) {
      throw nameUnavailable(error);
    }
  }

  async *streamQuery(): AsyncIterableIterator<never> {
    yield* [];
    throw new Error('Streaming is not supported: read in pages');
  }
}

class PoolDriver implements Driver {
  readonly #pool: SqlPool;
  readonly #pipelines: boolean;

  constructor(pool: SqlPool, pipelines: boolean) {
    this.#pool = pool;
    this.#pipelines = pipelines;
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
    const begin = `begin${level}${settings.accessMode ? ` ${settings.accessMode}` : ''}`;
    if (this.#pipelines) connection.begin(begin);
    else await connection.run(begin);
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
