import { type RawBuilder, sql } from 'kysely';
import type { EventType } from 'whorl/wire';
import { sentWithNext, statement } from '../../ground/db/statement.js';
import type { Database, Transaction } from '../service.js';

export interface NewEvent {
  readonly id: string;
  readonly worldId: string;
  readonly type: EventType;
  /** Null for an event about no user. */
  readonly userId: string | null;
  /** Key of an event that is stored at most once. Further events with the same key are ignored. */
  readonly once?: string | undefined;
  readonly data: object;
  readonly createdAt: Date;
}

type EventKey = Pick<NewEvent, 'id' | 'worldId' | 'createdAt'>;
type EventValues = EventKey & Pick<NewEvent, 'type' | 'userId'> & { readonly data: string };

// A distributed database runs statements in one place that change one table.
const insertEvent = sentWithNext<EventValues>()`
  insert into events (id, world_id, type, user_id, data, created_at)
  values (${'id'}, ${'worldId'}, ${'type'}, ${'userId'}, ${'data'}, ${'createdAt'})`;

/** Inserts a delivery for each current endpoint of the event's world. */
const insertDeliveries = statement<EventKey>()`
  insert into webhook_deliveries (world_id, event_id, endpoint_id, next_at)
  select e.world_id, ${'id'}::uuid, e.id, ${'createdAt'}::timestamptz
  from webhook_endpoints e where e.world_id = ${'worldId'} and e.status <> 'off'`;

const insertOnce = statement<Pick<NewEvent, 'worldId' | 'id' | 'once'>, { readonly id: string }>()`
  insert into event_onces (world_id, once, event_id) values (${'worldId'}, ${'once'}, ${'id'})
  on conflict (world_id, once) do nothing returning event_id as id`;

/**
 * Adds an event to the outbox, in the transaction of the change that it reports. Returns false if an event with the same
 * `once` exists.
 */
export async function recordEvent(trx: Transaction, event: NewEvent): Promise<boolean> {
  if (event.once !== undefined && (await insertOnce(trx, event)).length === 0) return false;
  await insertEvent(trx, { ...event, data: JSON.stringify(event.data) });
  await insertDeliveries(trx, event);
  return true;
}

/** Returns the times of a user's events of a type after a given time, the earliest first. */
export async function listEventTimes(
  db: Database,
  { id, world_id }: { readonly id: string; readonly world_id: string },
  type: EventType,
  since: Date,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('events')
    .select('created_at')
    .where('world_id', '=', world_id)
    .where('user_id', '=', id)
    .where('type', '=', type)
    .where('created_at', '>', since)
    .orderBy('created_at')
    .execute();
  return rows.map(({ created_at }) => created_at);
}

export async function hasEvent(db: Database, worldId: string, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('events')
    .select('id')
    .where('world_id', '=', worldId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}

export interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly created_at: Date;
}

/** Returns the events of a world, the newest first, optionally only those before a given event. */
export function listEventRows(
  db: Database,
  worldId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<EventRow[]> {
  let query = db.selectFrom('events').select(['id', 'type', 'created_at']).where('world_id', '=', worldId);
  if (before !== undefined) {
    const place = sql`(select created_at, id from events where world_id = ${worldId} and id = ${before})`;
    query = query.where(sql<boolean>`(created_at, id) < ${place}`);
  }
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/**
 * Deletes events of a world with their deliveries and attempts, and returns their number. Separate statements delete the
 * deliveries, so that they include those that a replay added before the events were locked.
 */
export async function deleteEvents(trx: Transaction, worldId: string, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from events where world_id = ${worldId} and ${which} returning id
  `.execute(trx);
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  await sql`
    delete from webhook_deliveries where world_id = ${worldId} and event_id = any(${ids}::uuid[])
  `.execute(trx);
  await sql`delete from event_onces where world_id = ${worldId} and event_id = any(${ids}::uuid[])`.execute(trx);
  return ids.length;
}
