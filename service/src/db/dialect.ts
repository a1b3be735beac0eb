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

/** What Kysely needs of a database that speaks PostgreSQL, wherever it runs. */
export interface SqlPool {
  /** A connection for the caller alone, until it is released. */
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
  /** The first word of what was done, as the server says it. */
  readonly command?: string | undefined;
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Kysely's PostgreSQL over a pool of ours: the server's, or the embedded database. */
export function dialectOver(pool: SqlPool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PoolDriver(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class PoolConnection implements DatabaseConnection {
  readonly client: SqlClient;

  constructor(client: SqlClient) {
    this.client = client;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, rowCount, command } = await this.run(sql, parameters);
    return {
      // What is in a row follows from the query, which Kysely has typed.
      rows: rows as Row[],
      ...(changing.has(command ?? '') && { numAffectedRows: BigInt(rowCount ?? 0) }),
    };
  }

  async run(text: string, values: readonly unknown[] = []): Promise<SqlResult> {
    try {
      return await this.client.query(text, [...values]);
    } catch (error) {
      throw nameUnavailable(error);
    }
  }

  async *streamQuery(): AsyncIterableIterator<never> {
    yield* [];
    throw new Error('Streams are not supported: read in pages');
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
    await connection.run(`begin${level}${settings.accessMode ? ` ${settings.accessMode}` : ''}`);
  }

  /** After a failed statement, `commit` rolls back and reports success: nobody may take that for one. */
  async commitTransaction(connection: PoolConnection): Promise<void> {
    const { command } = await connection.run('commit');
    if (command === 'ROLLBACK') throw new Error('A statement of the transaction had failed: it was rolled back');
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
