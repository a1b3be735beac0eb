import { validate } from 'uuid';
import { OperatorError } from '../operator-error.js';
import type { Service } from '../service.js';
import { type EndpointChoice, withEndpoint } from './endpoints.js';
import { hasEvent } from './queries/events.js';
import { type AttemptRow, listAttemptRows, replayEvents } from './queries/webhook-deliveries.js';

/** One event, or those of a time. */
export type Replay =
  | { readonly event: string }
  | {
      readonly from: Date;
      /** Default: now. */
      readonly to?: Date | undefined;
      /** Whether those that the receiver took come again too. */
      readonly delivered: boolean;
    };

/**
 * Delivers events once more, under the ids that they had, and from the first attempt on: one, whatever became of it, or
 * those of a time that the endpoint did not take. Answers how many.
 *
 * @throws OperatorError if there is no such endpoint or event, or the endpoint is switched off.
 */
export function replay(service: Service, choice: EndpointChoice, which: Replay): Promise<number> {
  return withEndpoint(service, choice, async (trx, { id, world_id, status }) => {
    if (status === 'off') throw new OperatorError('The webhook endpoint is switched off: "webhooks enable" first.');
    const common = { endpointId: id, worldId: world_id, now: service.now() };
    if (!('event' in which)) return replayEvents(trx, { ...common, ...which });
    const exists = validate(which.event) && (await hasEvent(trx, world_id, which.event));
    if (!exists) throw new OperatorError(`There is no event "${which.event}".`);
    return replayEvents(trx, { ...common, eventId: which.event, delivered: true });
  });
}

/** The last attempts at an endpoint, the newest first. @throws OperatorError if there is no such endpoint. */
export function listAttempts(service: Service, choice: EndpointChoice, limit: number): Promise<AttemptRow[]> {
  return withEndpoint(service, choice, (trx, { id, world_id }) =>
    listAttemptRows(trx, { worldId: world_id, endpointId: id }, limit),
  );
}
