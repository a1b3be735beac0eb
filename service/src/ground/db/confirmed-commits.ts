import type pg from 'pg';
import { DatabaseUnavailableError, readOnlyState } from './availability.js';

/** The function of PostgreSQL in which a commit waits for a synchronous standby: `src/backend/replication/syncrep.c`. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

/**
 * Watches a connection for commits that PostgreSQL reports as successful, with a warning, although no synchronous standby has
 * confirmed them, for example because a timeout cancelled the wait. A failover loses such a commit.
 *
 * Call `ended` after each statement, and `failed` for its error. `release` gives the connection back, or closes it if its
 * server turned out to be a standby: a new one leads to the primary.
 */
export class CommitWatch {
  readonly #client: pg.PoolClient;
  #isUnconfirmed = false;
  #isStandby = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
    client.on('notice', this.#onNotice);
  }

  /** @throws {DatabaseUnavailableError} for a commit that was not confirmed. */
  ended(): void {
    if (!this.#isUnconfirmed) return;
    this.#isUnconfirmed = false;
    throw new DatabaseUnavailableError('No synchronous standby has confirmed the commit');
  }

  failed(error: Error): void {
    this.#isStandby ||= 'code' in error && error.code === readOnlyState;
  }

  release(): void {
    this.#client.off('notice', this.#onNotice);
    this.#client.release(this.#isStandby);
  }

  readonly #onNotice = ({ routine }: { routine?: string | undefined }): void => {
    this.#isUnconfirmed ||= routine === STANDBY_WAIT;
  };
}
