import { createHash } from 'node:crypto';
import type pg from 'pg';
import { confirmCommits } from './confirmed-commits.js';
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
    const { confirm, release } = confirmCommits(client);
    return {
      query: (text, values) => confirm(this.#query(client, text, values)),
      release,
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

  async #query(client: pg.PoolClient, text: string, values: unknown[]): Promise<pg.QueryResult> {
    // Text without values may contain several statements, which cannot be prepared.
    const name = this.#namesStatements && values.length > 0 ? this.#nameOf(text) : undefined;
    try {
      return await client.query({ text, values, ...(name && { name }) });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
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
