import { validate } from 'uuid';
import { OperatorError } from '../../ground/operator-error.js';
import { hasEvent } from '../../resources/events/queries.js';
import type { Service } from '../../resources/service.js';
import { type EndpointChoice, withEndpoint } from './endpoints.js';
import { type AttemptRow, listAttemptRows, replayEvents } from './queries/webhook-deliveries.js';

/** One event, or the events of a period. */
export type Replay =
  | { readonly event: string }
  | {
      readonly from: Date;
      /** Default: now. */
      readonly to?: Date | undefined;
      /** Whether to include events that were delivered. */
      readonly delivered: boolean;
    };

/**
 * Schedules events for delivery again, with the same IDs and a full set of attempts: one event, whatever its outcome,
 * or the events of a period that were not delivered. Returns their number.
 *
 * @throws OperatorError if the endpoint or event does not exist, or the endpoint is switched off.
 */
export function replay(service: Service, choice: EndpointChoice, selection: Replay): Promise<number> {
  return withEndpoint(service, choice, async (trx, { id, world_id, status }) => {
    if (status === 'off') throw new OperatorError('The webhook endpoint is switched off. Run "webhooks enable" first.');
    const common = { endpointId: id, worldId: world_id, now: service.now() };
    if (!('event' in selection)) return replayEvents(trx, { ...common, ...selection });
    const exists = validate(selection.event) && (await hasEvent(trx, world_id, selection.event));
    if (!exists) throw new OperatorError(`There is no event "${selection.event}".`);
    return replayEvents(trx, { ...common, eventId: selection.event, delivered: true });
  });
}

/**
 * Returns the latest delivery attempts to an endpoint, the newest first. @throws OperatorError if the endpoint does not
 * exist.
 */
export function listAttempts(service: Service, choice: EndpointChoice, limit: number): Promise<AttemptRow[]> {
  return withEndpoint(service, choice, (trx, { id, world_id }) =>
    listAttemptRows(trx, { worldId: world_id, endpointId: id }, limit),
  );
}
