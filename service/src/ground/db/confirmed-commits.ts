import type pg from 'pg';
import { DatabaseUnavailableError } from './availability.js';

/** The function of PostgreSQL in which a commit waits for a synchronous standby: `src/backend/replication/syncrep.c`. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';
/** "Read-only transaction": the server is a standby now. */
const READ_ONLY = '25006';

/**
 * Watches a connection for commits that PostgreSQL reports as successful, with a warning, although no synchronous standby has
 * confirmed them, for example because a timeout cancelled the wait. A failover loses such a commit.
 *
 * `confirm` returns the result of a query, or throws a DatabaseUnavailableError for such a commit. `release` gives the
 * connection back, or closes it if its server turned out to be a standby: a new one leads to the primary.
 */
export function confirmCommits(client: pg.PoolClient): {
  confirm: <Result>(query: Promise<Result>) => Promise<Result>;
  release: () => void;
} {
  let isUnconfirmed = false;
  let isStandby = false;
  const onNotice = ({ routine }: { routine?: string | undefined }) => {
    isUnconfirmed ||= routine === STANDBY_WAIT;
  };
  client.on('notice', onNotice);
  return {
    async confirm(query) {
      const result = await query.catch((error: unknown) => {
        isStandby ||= error instanceof Error && 'code' in error && error.code === READ_ONLY;
        throw error;
      });
      if (!isUnconfirmed) return result;
      isUnconfirmed = false;
      throw new DatabaseUnavailableError('No synchronous standby has confirmed the commit');
    },
    release() {
      client.off('notice', onNotice);
      client.release(isStandby);
    },
  };
}
