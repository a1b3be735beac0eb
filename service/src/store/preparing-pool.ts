import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { SqlClient, SqlPool, SqlResult } from './dialect.js';
import { PipelinedClient } from './pipelined-client.js';

/** Each connection keeps what it prepared until it closes, so what is beyond this goes without a name. */
const MOST_STATEMENTS = 1000;
/** "Cached plan must not change result type": a migration ran since the statement was prepared. */
const STALE_PLAN = '0A000';

/**
 * A pool whose statements bear names, so that each connection parses and plans the text of a statement once. Its
 * connections have to be pipelined. Not for use behind a pooler that gives out connections by transaction.
 */
export class PreparingPool implements SqlPool {
  readonly #pool: pg.Pool;
  readonly #names = new Map<string, string>();
  #generation = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async connect(): Promise<SqlClient> {
    const client = await this.#pool.connect();
    return new PipelinedClient(client, (text, values) => this.#query(client, text, values));
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  async #query(client: pg.PoolClient, text: string, values: unknown[]): Promise<SqlResult> {
    // A transaction's own commands bring no values, and have nothing to plan.
    const name = values.length > 0 ? this.#nameOf(text) : undefined;
    try {
      return await client.query({ text, values, ...(name && { name }) });
    } catch (error) {
      // Under new names, everything is prepared anew from the next request on.
      if (error instanceof Error && 'code' in error && error.code === STALE_PLAN) this.#forget();
      throw error;
    }
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known || this.#names.size >= MOST_STATEMENTS) return known;
    const name = `${createHash('sha256').update(text).digest('base64url').slice(0, 22)}_${this.#generation}`;
    this.#names.set(text, name);
    return name;
  }

  #forget(): void {
    this.#generation += 1;
    this.#names.clear();
  }
}
