import type pg from 'pg';
import type { SqlClient, SqlResult } from './dialect.js';
import { mayWait } from './statement.js';

type Send = (text: string, values: unknown[]) => Promise<SqlResult>;

const nothing: SqlResult = { rows: [] };

/**
 * A connection to PostgreSQL whose transactions take few round trips: the beginning, and writes that nobody waits for,
 * go to the server together with the next statement that somebody does wait for, the commit at the latest. They are
 * done in order. What one of them fails with is thrown by the statement that they went with. The connection has to be
 * pipelined.
 */
export class PipelinedClient implements SqlClient {
  readonly #client: pg.PoolClient;
  readonly #send: Send;
  #waiting: [text: string, values: unknown[]][] = [];
  #inTransaction = false;

  constructor(client: pg.PoolClient, send: Send) {
    this.#client = client;
    this.#send = send;
  }

  async query(text: string, values: unknown[]): Promise<SqlResult> {
    if (isBegin(text)) {
      this.#inTransaction = true;
      this.#waiting = [[text, values]];
      return nothing;
    }
    if (this.#inTransaction && mayWait(text)) {
      this.#waiting.push([text, values]);
      return nothing;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    if (text === 'commit' || text === 'rollback') {
      this.#inTransaction = false;
      // Nothing was asked of the server within it.
      if (isBegin(waiting[0]?.[0]) && (text === 'rollback' || waiting.length === 1)) return nothing;
      if (text === 'rollback') return this.#send(text, values);
    }
    return this.#sendTogether([...waiting, [text, values]]);
  }

  release(): void {
    this.#client.release();
  }

  /** In one write to the socket. Answers what the last one does, once all are done. */
  async #sendTogether(statements: [text: string, values: unknown[]][]): Promise<SqlResult> {
    const { stream } = this.#client.connection;
    stream.cork();
    const sent = statements.map(([text, values]) => this.#send(text, values));
    stream.uncork();
    // The first failure is the cause of those after it.
    for (const outcome of await Promise.allSettled(sent)) if (outcome.status === 'rejected') throw outcome.reason;
    return (await sent.at(-1)) ?? nothing;
  }
}

function isBegin(text: string | undefined): boolean {
  return text?.startsWith('begin') ?? false;
}
