import type { EventData, EventType } from 'whorl/wire';
import type { Caller, Transaction, UnitOfWork } from '../service.js';
import { recordEvent } from './queries.js';

interface EmitOptions {
  /** `_id` of the user that the event is about. The event is deleted when that user is erased. Null: no user. */
  readonly userId: string | null;
  /**
   * Key for an event that must be emitted only once, such as a signal about one user on one day. Default: no such
   * limit.
   */
  readonly once?: string;
}

/**
 * Adds an event to the outbox; docs/webhooks.md lists the events. Call it in the same transaction as the change that
 * the event reports, so that both are committed or neither. Returns false if an event with the same `once` was already
 * emitted.
 */
export async function emit<Type extends EventType>(
  { db, caller, newId, now }: UnitOfWork<Transaction, Pick<Caller, 'worldId'>>,
  type: Type,
  data: EventData[Type],
  { userId, once }: EmitOptions,
): Promise<boolean> {
  return recordEvent(db, { id: newId(), worldId: caller.worldId, type, userId, once, data, createdAt: now() });
}
