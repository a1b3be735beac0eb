import type { Kysely } from 'kysely';
import type { Transaction } from '../connection.js';
import type { Schema } from '../schema/index.js';
import { ReplicaFailedError } from './reader-pool.js';

/** Runs reads that must see the same state. Repeats them on the primary if a read replica fails meanwhile. */
export async function inSnapshot<Result>(
  db: Kysely<Schema>,
  read: (db: Transaction) => Promise<Result>,
): Promise<Result> {
  const run = () => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
  try {
    return await run();
  } catch (error) {
    if (error instanceof ReplicaFailedError) return run();
    throw error;
  }
}
