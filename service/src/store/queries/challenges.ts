import type { Selectable } from 'kysely';
import type { Database } from '../../service.js';
import type { ChallengeTable } from '../schema.js';

export type ChallengeRow = Selectable<ChallengeTable>;

/** One challenge of a world; locked until the transaction ends where it is about to be changed. */
export async function findChallenge(
  db: Database,
  worldId: string,
  id: string,
  { lock = false } = {},
): Promise<ChallengeRow | undefined> {
  const query = db.selectFrom('challenges').selectAll().where('world_id', '=', worldId).where('id', '=', id);
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

export interface Announcement {
  readonly userId: string;
  readonly deviceId: string | null;
  readonly at: Date;
}

/** Ties a challenge to its user and device, and announces it. Answers undefined where that was done before. */
export async function markAnnounced(
  db: Database,
  worldId: string,
  id: string,
  { userId, deviceId, at }: Announcement,
): Promise<ChallengeRow | undefined> {
  return db
    .updateTable('challenges')
    .set({ user_id: userId, device_id: deviceId, announced_at: at })
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .where('announced_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}
