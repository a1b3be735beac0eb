import { type RawBuilder, sql } from 'kysely';
import type { Position } from './position-rules.js';

type TimeColumn = 'created_at' | 'last_seen_at' | 'seen_at';

/**
 * Returns SQL that pages through a list, newest first, by an index on its time alone. The result also contains all rows
 * with the same time as the last one, so the caller sorts by time and ID and applies the limit again. If the IDs were
 * in the order, a planner that assumes an average user could read and sort all rows of a large user.
 */
export function newestFirst(
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
