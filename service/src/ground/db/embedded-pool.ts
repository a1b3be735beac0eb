import { PGlite } from '@electric-sql/pglite';
import { DatabaseUnavailableError } from './availability.js';
import type { SqlClient, SqlPool, SqlResult } from './dialect.js';
import { EmbeddedStatements } from './embedded-statements.js';
import { numberTypes } from './number-types.js';

const ACQUIRE_TIMEOUT_MS = 10_000;
/** PGlite's default is 128 MB, allocated at once. */
const MEMORY = ['-c', 'shared_buffers=16MB'];

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Pool with the one connection of the embedded database. Its holder has exclusive access, so that other queries cannot
 * enter its transaction.
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

  /** Opens the embedded database in a folder. This does not lock out other processes: see folder-lock.ts. */
  static async open(folder: string): Promise<EmbeddedPool> {
    const database = await PGlite.create({
      dataDir: folder,
      parsers: Object.fromEntries(numberTypes.map((type) => [type, Number])),
      startParams: [...PGlite.defaultStartParams, ...MEMORY],
    });
    return new EmbeddedPool(database);
  }

  /** Waits until the connection is free, at most 10 seconds. */
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
    // Transaction commands and schema changes need no prepared statement.
    return (await this.#database.exec(text)).at(-1) ?? { rows: [] };
  }

  /**
   * Listens for notifications on a channel, which arrive after their transaction has committed. Returns a function that
   * stops listening.
   */
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

  /** Waits for the holder of the connection, and rejects everyone else who is waiting. */
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
        // Either the load is too high, or a caller queried outside the transaction that it holds open.
        reject(new DatabaseUnavailableError(`The embedded database was busy for more than ${ACQUIRE_TIMEOUT_MS} ms`));
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
