import { sql } from 'kysely';
import { waitingReviews } from '../../evaluation/reviews/queries.js';
import type { Database } from '../../resources/service.js';
import { maxCountedReviews } from './rules/alert-condition.js';

/** Returns the number of evaluations that wait for a review, at most one more than `maxCountedReviews`. */
export async function countWaitingReviews(db: Database, worldId: string): Promise<number> {
  const counted = waitingReviews(worldId, maxCountedReviews + 1);
  const { rows } = await sql<{ count: number }>`select ${counted} as count`.execute(db);
  return rows[0]?.count ?? 0;
}
