import type { EventType } from 'whorl/wire';
import type { Database } from '../../service.js';

export interface NewEvent {
  readonly id: string;
  readonly worldId: string;
  readonly type: EventType;
  readonly userId: string;
  /** What may be there once only; of two events with the same text the first stays. */
  readonly once?: string | undefined;
  readonly data: object;
  readonly createdAt: Date;
}

/** Writes an event into the outbox, in the transaction of what it tells of. Answers false where it was there before. */
export async function recordEvent(db: Database, event: NewEvent): Promise<boolean> {
  const { id, worldId, type, userId, once = null, data, createdAt } = event;
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('events')
    .values({ id, world_id: worldId, type, user_id: userId, once, data: JSON.stringify(data), created_at: createdAt })
    .onConflict((conflict) => conflict.column('once').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** When events of a type happened to a user since a time, the earliest first. */
export async function listEventTimes(db: Database, userId: string, type: EventType, since: Date): Promise<Date[]> {
  const rows = await db
    .selectFrom('events')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .where('created_at', '>', since)
    .orderBy('created_at')
    .execute();
  return rows.map(({ created_at }) => created_at);
}
