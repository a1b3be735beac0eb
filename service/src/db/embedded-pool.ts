import { PGlite } from '@electric-sql/pglite';
import { DatabaseUnavailableError } from './availability.js';
import type { SqlClient, SqlPool, SqlResult } from './dialect.js';
import { EmbeddedStatements } from './embedded-statements.js';
import { numberTypes } from './number-types.js';

const ACQUIRE_TIMEOUT_MS = 10_000;
/** PGlite's own default is 128 MB, taken in full at once. */
const MEMORY = ['-c', 'shared_buffers=16MB'];

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

/**
 * The embedded database as a pool of one connection. Whoever holds the connection is alone with the database, so that
 * a transaction is safe from everyone else's queries.
 */
export class EmbeddedPool implements SqlPool {
  readonly #database: PGlite;
  readonly #statements: EmbeddedStatements;
  readonly #waiters = new Set<Waiter>();
  #taken = false;
  #closed = false;

  private constructor(database: PGlite) {
    this.#database = database;
    this.#statements = new EmbeddedStatements(database);
  }

  /** @param folder Where the data lies. Nothing here keeps a second process out: see folder-lock. */
  static async open(folder: string): Promise<EmbeddedPool> {
    const database = await PGlite.create({
      dataDir: folder,
      parsers: Object.fromEntries(numberTypes.map((type) => [type, Number])),
      startParams: [...PGlite.defaultStartParams, ...MEMORY],
    });
    return new EmbeddedPool(database);
  }

  /** Waits until nobody else has the connection, 10 seconds at most. */
  async connect(): Promise<SqlClient> {
    await this.#acquire();
    let released = false;
    return {
      query: (text, values) => this.#query(text, values),
      release: () => {
        if (!released) this.#release();
        released = true;
      },
    };
  }

  async #query(text: string, values: unknown[]): Promise<SqlResult> {
    if (values.length > 0) return this.#statements.query(text, values);
    // A transaction's own commands, and what makes tables: there is nothing to plan.
    return (await this.#database.exec(text)).at(-1) ?? { rows: [] };
  }

  /** Hears what is told on a channel, once it is committed. Answers what ends that. */
  async listen(channel: string, onMessage: (text: string) => void): Promise<() => Promise<void>> {
    const stop = await this.#alone(() => this.#database.listen(channel, onMessage));
    return () => this.#alone(() => stop());
  }

  async #alone<Result>(act: () => Promise<Result>): Promise<Result> {
    await this.#acquire();
    try {
      return await act();
    } finally {
      this.#release();
    }
  }

  /** Waits for whoever has the connection, and turns away all others. */
  async end(): Promise<void> {
    for (const { reject } of this.#waiters) reject(closedError());
    this.#waiters.clear();
    await this.#acquire();
    this.#closed = true;
    await this.#database.close();
  }

  #acquire(): Promise<void> {
    if (this.#closed) return Promise.reject(closedError());
    if (!this.#taken) {
      this.#taken = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        // Either there is too much to do, or a query was made beside the transaction that its own caller holds open.
        reject(new DatabaseUnavailableError(`The embedded database was not free within ${ACQUIRE_TIMEOUT_MS} ms`));
      }, ACQUIRE_TIMEOUT_MS);
      const settle = (act: () => void) => {
        clearTimeout(timer);
        act();
      };
      const waiter: Waiter = {
        resolve: () => settle(resolve),
        reject: (error) => settle(() => reject(error)),
      };
      this.#waiters.add(waiter);
    });
  }

  #release(): void {
    const [next] = this.#waiters;
    if (!next) {
      this.#taken = false;
      return;
    }
    this.#waiters.delete(next);
    next.resolve();
  }
}

function closedError(): Error {
  return new DatabaseUnavailableError('The database is closed');
}
