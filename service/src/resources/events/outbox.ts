import type { Service } from '../service.js';
import { type EventRow, listEventRows } from './queries.js';

export interface ListedEvent {
  readonly id: string;
  readonly type: string;
  readonly at: Date;
}

export interface EventPage {
  readonly events: readonly ListedEvent[];
  /** Value of `before` for the next page; undefined on the last page. */
  readonly next?: string;
}

/** Returns the events of a world, the newest first, without their data. `before` is the ID of an event. */
export async function listEvents(
  { db }: Pick<Service, 'db'>,
  { worldId, before, limit }: { worldId: string; before?: string | undefined; limit: number },
): Promise<EventPage> {
  const rows = await listEventRows(db, worldId, { before, limit: limit + 1 });
  const events = rows.slice(0, limit).map(({ id, type, created_at }: EventRow) => ({ id, type, at: created_at }));
  const last = events.at(-1);
  return { events, ...(rows.length > limit && last && { next: last.id }) };
}
