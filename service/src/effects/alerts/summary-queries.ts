import { sql } from 'kysely';
import type { Database } from '../../resources/service.js';

/** Returns whether a world's summary of a week, or of a later one, was already made. */
export async function hasSummary(db: Database, worldId: string, week: Date): Promise<boolean> {
  const row = await db
    .selectFrom('weekly_summaries')
    .select('week')
    .where('world_id', '=', worldId)
    .where('week', '>=', week)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that a world's summary of a week is made. Returns false if another process did. */
export async function claimWeek(db: Database, worldId: string, week: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into weekly_summaries (world_id, week) values (${worldId}, ${week})
    on conflict (world_id) do update set week = excluded.week where weekly_summaries.week < excluded.week
    returning world_id
  `.execute(db);
  return rows.length > 0;
}
