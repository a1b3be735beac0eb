import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { ChallengeVisitTable } from '../../ground/db/schema/index.js';
import type { Database } from '../service.js';

export type VisitRow = Selectable<ChallengeVisitTable>;

/** The primary key of a visit. */
export type VisitKey = Pick<VisitRow, 'world_id' | 'id'>;

/** Inserts a visit. Returns false if its link was already used. */
export async function insertVisit(db: Database, visit: Insertable<ChallengeVisitTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('challenge_visits')
    .values(visit)
    .onConflict((conflict) => conflict.columns(['world_id', 'link_hash']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Returns the visit of a session to a challenge, unless it has expired. */
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

export interface CodeRequestLimits {
  /** Maximum number of requests. */
  readonly maxRequests: number;
  /** Another code may be requested if the last request was before this time. */
  readonly lastBefore: Date;
}

/**
 * Counts a request for a code, if the limits allow it. Of two concurrent requests, one is counted. Returns whether it
 * was counted.
 */
export async function countCodeRequest(
  db: Database,
  { world_id, id }: VisitKey,
  { maxRequests, lastBefore }: CodeRequestLimits,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('challenge_visits')
    .set({ asks: sql<number>`asks + 1`, asked_at: now, code_hash: null, tries: 0, notice: null, notice_until: null })
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .where('asks', '<', maxRequests)
    .where((eb) => eb.or([eb('asked_at', 'is', null), eb('asked_at', '<=', lastBefore)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores the hash of a requested code, unless another code was requested since. Returns whether it was stored. */
export async function storeCodeHash(
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

/** Deletes the visits to the given challenges. */
export async function removeVisitsTo(db: Database, worldId: string, challengeIds: readonly string[]): Promise<void> {
  await sql`
    delete from challenge_visits where world_id = ${worldId} and challenge_id = any(${[...challengeIds]}::uuid[])
  `.execute(db);
}

/** Counts an attempt at the last requested code, if one is left. Returns whether it was counted. */
export async function countAttempt(db: Database, { world_id, id }: VisitKey, limit: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('challenge_visits')
    .set({ tries: sql<number>`tries + 1` })
    .where('world_id', '=', world_id)
    .where('id', '=', id)
    .where('tries', '<', limit)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes expired visits, at most `limit` at a time. Returns the number of deleted visits. */
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
