import { createHash } from 'node:crypto';
import pg from 'pg';
import { CommitWatch } from './confirmed-commits.js';
import type { SqlClient, SqlPool } from './dialect.js';

/** Maximum number of named statements. Each connection keeps its prepared statements until it is closed. */
const MAX_STATEMENTS = 1000;
/** "Cached plan must not change result type": a migration ran after the statement was prepared. */
const STALE_PLAN = '0A000';

/**
 * Pool of connections to PostgreSQL. It names its statements, so that each connection parses and plans a statement only once
 * (https://node-postgres.com/features/queries#prepared-statements). This does not work behind a pooler that assigns
 * connections per transaction.
 */
export class PostgresqlPool implements SqlPool {
  readonly #pool: pg.Pool;
  readonly #namesStatements: boolean;
  readonly #names = new Map<string, string>();
  #generation = 0;

  /** `namesStatements`: false behind a pooler. */
  constructor(pool: pg.Pool, { namesStatements }: { namesStatements: boolean }) {
    this.#pool = pool;
    this.#namesStatements = namesStatements;
  }

  async connect(): Promise<SqlClient> {
    const client = await this.#pool.connect();
    const watch = new CommitWatch(client);
    return {
      query: (text, values) => this.#query(client, watch, text, values),
      release: () => watch.release(),
      // A pooler does not accept a statement before the previous one has ended.
      ...(this.#namesStatements && {
        cork: () => client.connection.stream.cork(),
        uncork: () => client.connection.stream.uncork(),
      }),
    };
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #query(client: pg.PoolClient, watch: CommitWatch, text: string, values: unknown[]): Promise<pg.QueryResult> {
    // Text without values may contain several statements, which cannot be prepared.
    const name = this.#namesStatements && values.length > 0 ? this.#nameOf(text) : undefined;
    try {
      const result = await send(client, text, values, name);
      watch.ended();
      return result;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      watch.failed(error);
      // New names make every connection prepare its statements again.
      if ('code' in error && error.code === STALE_PLAN) {
        this.#generation += 1;
        this.#names.clear();
      }
      // Replaces the driver's stack trace, which does not include the caller.
      Error.captureStackTrace(error);
      throw error;
    }
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= MAX_STATEMENTS) return known;
    const name = `${createHash('sha256').update(text).digest('base64url').slice(0, 22)}_${this.#generation}`;
    this.#names.set(text, name);
    return name;
  }
}

/** The driver copies the options of a statement with all their property descriptors, which takes longer than sending it. */
function send(
  client: pg.PoolClient,
  text: string,
  values: unknown[],
  name: string | undefined,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query(text, values, (error, result) => (error ? reject(error) : resolve(result)));
    client.query(Object.assign(query, { name }));
  });
}
