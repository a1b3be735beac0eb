import type { Selectable, Updateable } from 'kysely';
import { type PageOfRows, type PageRequest, type Period, readPage } from '../db/paging.js';
import type { ChallengeTable } from '../db/schema/index.js';
import type { Database } from '../service.js';

export type ChallengeRow = Selectable<ChallengeTable>;

/** Returns one challenge of a world. `lock` locks it until the transaction ends. */
export async function findChallenge(
  db: Database,
  worldId: string,
  id: string,
  { lock = false } = {},
): Promise<ChallengeRow | undefined> {
  const query = db.selectFrom('challenges').selectAll().where('world_id', '=', worldId).where('id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

export async function changeChallenge(
  db: Database,
  worldId: string,
  id: string,
  changes: Omit<Updateable<ChallengeTable>, 'id' | 'world_id'>,
): Promise<ChallengeRow> {
  return db
    .updateTable('challenges')
    .set(changes)
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns the challenges of a world, newest first. */
export async function listChallengeRows(
  db: Database,
  worldId: string,
  { start, end, ...page }: PageRequest & Period,
): Promise<PageOfRows<ChallengeRow>> {
  let matching = db.selectFrom('challenges').where('world_id', '=', worldId);
  if (start) matching = matching.where('created_at', '>=', start);
  if (end) matching = matching.where('created_at', '<=', end);
  return readPage(matching, page);
}

/** Marks at most `limit` challenges that have passed their expiry as expired. Returns their number. */
export async function expireChallengeRows(db: Database, worldId: string, now: Date, limit: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('challenges')
    .set({ status: 'expired' })
    .where('world_id', '=', worldId)
    .where('id', 'in', (builder) =>
      builder
        .selectFrom('challenges')
        .select('id')
        .where('world_id', '=', worldId)
        .where('status', '=', 'pending')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit)
        // Another worker or a request may be changing some of these.
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
