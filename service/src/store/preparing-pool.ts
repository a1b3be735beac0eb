import type pg from 'pg';
import type { SqlClient, SqlPool } from './dialect.js';
import { PipelinedClient } from './pipelined-client.js';
import { PreparedStatements, StatementNames } from './prepared-statements.js';

/**
 * A pool whose statements bear names, so that each connection parses and plans the text of a statement once. Not for use
 * behind a pooler that gives out connections by transaction.
 */
export class PreparingPool implements SqlPool {
  readonly #pool: pg.Pool;
  readonly #names = new StatementNames();
  readonly #prepared = new WeakMap<pg.PoolClient, PreparedStatements>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async connect(): Promise<SqlClient> {
    const client = await this.#pool.connect();
    const prepared = this.#prepared.get(client) ?? new PreparedStatements();
    this.#prepared.set(client, prepared);
    return new PipelinedClient(client, this.#names, prepared);
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
