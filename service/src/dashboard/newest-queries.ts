import { type RawBuilder, sql } from 'kysely';
import type { Position } from './position-rules.js';

type TimeColumn = 'created_at' | 'last_seen_at' | 'seen_at';

/**
 * What makes a query read a list by the end of an index that has its time, but not its ids: rows behind a position, the
 * newest first, so many and those of the same moment as the last. Whoever asks sorts them by `inOrder`. With the ids in
 * the order, a planner that takes a user of average for the one at hand would read and sort all that the user has.
 */
export function newest(
  { at, id }: Position,
  limit: number,
  { time = 'created_at', key = 'id' }: { readonly time?: TimeColumn; readonly key?: 'id' | 'user_id' } = {},
): { readonly behind: RawBuilder<boolean>; readonly first: RawBuilder<unknown> } {
  const column = sql.ref(time);
  return {
    behind: sql<boolean>`${column} <= ${at} and (${column}, ${sql.ref(key)}) < (${at}, ${id})`,
    first: sql`order by ${column} desc fetch first ${sql.lit(limit)} rows with ties`,
  };
}
