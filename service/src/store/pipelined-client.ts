import type pg from 'pg';
import { Batch } from './batch.js';
import type { SqlClient, SqlResult } from './dialect.js';
import type { PreparedStatements, StatementNames } from './prepared-statements.js';
import { mayWait } from './statement.js';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** "Cached plan must not change result type": a migration ran since the statement was prepared. */
const STALE_PLAN = '0A000';
const nothing: SqlResult = { rows: [] };

/**
 * A connection to PostgreSQL whose transactions take few round trips: the beginning, and writes that nobody waits for,
 * go to the server together with the next statement that somebody does wait for, the commit at the latest. They are
 * done in order. What one of them fails with is thrown by the statement that they went with.
 */
export class PipelinedClient implements SqlClient {
  readonly #client: pg.PoolClient;
  readonly #names: StatementNames;
  readonly #prepared: PreparedStatements;
  #waiting: Statement[] = [];
  #inTransaction = false;

  constructor(client: pg.PoolClient, names: StatementNames, prepared: PreparedStatements) {
    this.#client = client;
    this.#names = names;
    this.#prepared = prepared;
  }

  async query(text: string, values: unknown[]): Promise<SqlResult> {
    const statement = { text, values };
    if (isBegin(text)) {
      this.#inTransaction = true;
      this.#waiting = [statement];
      return nothing;
    }
    if (this.#inTransaction && mayWait(text)) {
      this.#waiting.push(statement);
      return nothing;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    if (isEnd(text)) {
      this.#inTransaction = false;
      // Nothing was asked of the server within it.
      if (isBegin(waiting[0]?.text) && (text === 'rollback' || waiting.length === 1)) return nothing;
      if (text === 'rollback') return this.#send([statement]);
    }
    if (values.length > 0 || isEnd(text)) return this.#send([...waiting, statement]);
    // What brings no values may be several statements in one text, which only the simple protocol takes.
    if (waiting.length > 0) await this.#send(waiting);
    return this.#client.query(text);
  }

  release(): void {
    this.#client.release();
  }

  /** Answers what the last one does, once all are done. */
  async #send(statements: readonly Statement[]): Promise<SqlResult> {
    const named = statements.map(({ text, values }) => ({ text, values, name: this.#names.of(text) }));
    try {
      const results = await new Promise<SqlResult[]>((resolve, reject) => {
        const outcome = { resolve, reject };
        this.#client.query(new Batch(named, this.#prepared, { settings: this.#client, outcome }));
      });
      return results.at(-1) ?? nothing;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      // Under new names, everything is prepared anew from the next request on.
      if ('code' in error && error.code === STALE_PLAN) this.#names.renew();
      // The driver's own stack ends at the socket; this one leads to who asked.
      Error.captureStackTrace(error);
      throw error;
    }
  }
}

function isBegin(text: string | undefined): boolean {
  return text?.startsWith('begin') ?? false;
}

function isEnd(text: string): boolean {
  return text === 'commit' || text === 'rollback';
}
