import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { ChallengeVisitTable } from '../db/schema/index.js';
import type { Database } from '../service.js';

export type VisitRow = Selectable<ChallengeVisitTable>;

/** The primary key of a visit. */
export type VisitKey = Pick<VisitRow, 'world_id' | 'id'>;

/** Keeps a visit; answers whether the link had not been used before. */
export async function insertVisit(db: Database, visit: Insertable<ChallengeVisitTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('challenge_visits')
    .values(visit)
    .onConflict((conflict) => conflict.columns(['world_id', 'link_hash']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** The visit of a session to one challenge, while it lasts. */
export function findVisitRow(
  db: Database,
  {
    worldId,
    challengeId,
    sessionHash,
    now,
  }: { worldId: string; challengeId: string; sessionHash: Uint8Array; now: Date },
): Promise<VisitRow | undefined> {
  return db
    .selectFrom('challenge_visits')
    .selectAll()
    .where('world_id', '=', worldId)
    .where('session_hash', '=', sessionHash)
    .where('challenge_id', '=', challengeId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function changeVisit(
  db: Database,
  { world_id, id }: VisitKey,
  changes: Omit<Updateable<ChallengeVisitTable>, 'id' | 'world_id'>,
): Promise<void> {
  await db.updateTable('challenge_visits').set(changes).where('world_id', '=', world_id).where('id', '=', id).execute();
}

export interface AskLimits {
  readonly asks: number;
  /** Another may be asked for when the last was asked for before this. */
  readonly lastBefore: Date;
}

/** Counts that a code was asked for, where that is allowed; two at once count once. */
export async function takeAsk(
  db: Database,
  { world_id, id }: VisitKey,
  { asks, lastBefore }: AskLimits,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('challenge_visits')
    .set({ asks: sql<number>`asks + 1`, asked_at: now, code_hash: null, tries: 0, notice: null, notice_until: null })
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .where('asks', '<', asks)
    .where((eb) => eb.or([eb('asked_at', 'is', null), eb('asked_at', '<=', lastBefore)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Keeps the hash of a code that was asked for at a moment, unless another was asked for since. */
export async function keepCode(
  db: Database,
  { world_id, id }: VisitKey,
  { askedAt, hash }: { readonly askedAt: Date; readonly hash: Uint8Array },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('challenge_visits')
    .set({ code_hash: hash })
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .where('asked_at', '=', askedAt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes the visits to some challenges. */
export async function removeVisitsTo(db: Database, worldId: string, challengeIds: readonly string[]): Promise<void> {
  await sql`
    delete from challenge_visits where world_id = ${worldId} and challenge_id = any(${[...challengeIds]}::uuid[])
  `.execute(db);
}

/** Counts a try of the code asked for last, where one is left. */
export async function takeTry(db: Database, { world_id, id }: VisitKey, limit: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('challenge_visits')
    .set({ tries: sql<number>`tries + 1` })
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .where('tries', '<', limit)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes visits that are over, so many at most; answers how many went. */
export async function removeOldVisits(
  db: Database,
  worldId: string,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from challenge_visits where world_id = ${worldId} and id in (
      select id from challenge_visits where world_id = ${worldId} and expires_at < ${before} limit ${limit} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows);
}
