import type { EventType } from 'whorl/wire';
import type { Database } from '../../service.js';
import { statement, write } from '../statement.js';

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

type EventValues = Omit<NewEvent, 'data' | 'once'> & { readonly data: string; readonly once: string | null };

const insertEvent = write<EventValues>()`
  insert into events (id, world_id, type, user_id, data, created_at)
  values (${'id'}, ${'worldId'}, ${'type'}, ${'userId'}, ${'data'}, ${'createdAt'})`;

const insertEventOnce = statement<EventValues, { readonly id: string }>()`
  insert into events (id, world_id, type, user_id, once, data, created_at)
  values (${'id'}, ${'worldId'}, ${'type'}, ${'userId'}, ${'once'}, ${'data'}, ${'createdAt'})
  on conflict (once) do nothing returning id`;

/** Writes an event into the outbox, in the transaction of what it tells of. Answers false where it was there before. */
export async function recordEvent(db: Database, event: NewEvent): Promise<boolean> {
  const values = { ...event, once: event.once ?? null, data: JSON.stringify(event.data) };
  if (event.once !== undefined) return (await insertEventOnce(db, values)).length > 0;
  await insertEvent(db, values);
  return true;
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
