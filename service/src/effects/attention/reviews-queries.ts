import { sql } from 'kysely';
import type { Database } from '../../resources/service.js';
import { maxCountedReviews } from './rules/alert-condition.js';

/** Returns the number of evaluations that wait for a review, at most one more than `maxCountedReviews`. */
export async function countWaitingReviews(db: Database, worldId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from reviews where world_id = ${worldId} and decided_at is null limit ${sql.lit(maxCountedReviews + 1)}
    ) waiting
  `.execute(db);
  return rows[0]?.count ?? 0;
}
