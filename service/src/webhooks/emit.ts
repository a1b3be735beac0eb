import type { EventData, EventType } from 'whorl/wire';
import type { Caller, Database, Service } from '../service.js';
import { recordEvent } from './queries/events.js';

interface EmitOptions {
  /** The `_id` of the user whom the event is about: it goes when the user is erased. */
  readonly userId: string;
  /** What may be told once only, such as a signal of one user on one day. Default: no such bound. */
  readonly once?: string;
}

/**
 * Puts an event into the outbox (specification 6). Call it in the transaction that makes it true, so that both are
 * committed or neither. Answers whether it was told: false where `once` was told before.
 */
export async function emit<Type extends EventType>(
  db: Database,
  service: Service,
  { worldId }: Pick<Caller, 'worldId'>,
  type: Type,
  data: EventData[Type],
  { userId, once }: EmitOptions,
): Promise<boolean> {
  return recordEvent(db, { id: service.newId(), worldId, type, userId, once, data, createdAt: service.now() });
}
