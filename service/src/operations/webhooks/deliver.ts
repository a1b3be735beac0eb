import { randomUUID } from 'node:crypto';
import { webhookHeaders } from '../../delivery/webhooks/index.js';
import { type Attempted, type NextStep, nextStep } from '../../domain/webhooks/next-step.js';
import type { Service } from '../../service.js';
import {
  type AttemptValues,
  type ClaimedDelivery,
  claimDeliveries,
  failWaiting,
  listDueEndpoints,
  recordAttempt,
} from '../../store/queries/webhook-deliveries.js';
import { type EndpointRow, findEndpoint, setEndpointStatus } from '../../store/queries/webhook-endpoints.js';
import type { WebhookEndpointStatus } from '../../store/schema.js';
import { secretsOf } from './secrets.js';

/** How many events one process sends to one endpoint at a time. */
export const atOnce = 10;
/** Well over the time that an attempt may take: a worker that has not said by then what came of it is gone. */
const leaseMs = 60_000;

export type Outcome = 'delivered' | 'failed';

export interface DeliveryOptions {
  /** Told of each attempt. */
  readonly onAttempt?: (outcome: Outcome) => void;
  /** Begins no further attempts. */
  readonly signal?: AbortSignal;
}

/** The ids of the endpoints that events are due for. */
export async function dueEndpoints({ db, now }: Service): Promise<string[]> {
  return (await listDueEndpoints(db, { now: now() })).map(({ id }) => id);
}

/**
 * Delivers what is due for one endpoint, ten events at a time, until nothing is. Any number of workers can do this at
 * once: each event is with one of them. One that dies in between leaves it to the others, after a minute.
 */
export async function deliverTo(service: Service, endpointId: string, options: DeliveryOptions = {}): Promise<void> {
  while (!options.signal?.aborted) {
    // Anew each time: it may have been removed, switched off, or given another secret.
    const endpoint = await findEndpoint(service.db, endpointId);
    if (!endpoint || endpoint.status === 'off') return;
    const claim = randomUUID();
    const now = service.now();
    const until = new Date(now.getTime() + leaseMs);
    const claimed = await claimDeliveries(service.db, { endpointId, now, until, claim, limit: atOnce });
    if (claimed.length === 0) return;
    await Promise.all(claimed.map((delivery) => deliver(service, endpoint, delivery, claim, options)));
  }
}

async function deliver(
  service: Service,
  endpoint: EndpointRow,
  delivery: ClaimedDelivery,
  claim: string,
  { onAttempt }: DeliveryOptions,
): Promise<void> {
  const at = service.now();
  const { event_id: id, type, data, created_at } = delivery;
  const body = JSON.stringify({ type, timestamp: created_at.toISOString(), data });
  const headers = webhookHeaders({ id, at, body }, secretsOf(service, endpoint));
  const attempted = await service.webhooks.post({ url: endpoint.url, headers, body });
  onAttempt?.(attempted.failure === undefined ? 'delivered' : 'failed');
  const step = nextStep(attempted, delivery.attempts, { now: service.now(), random: Math.random() });
  await record(service, endpoint, { delivery, claim, at, attempted, step });
}

interface Made {
  readonly delivery: ClaimedDelivery;
  readonly claim: string;
  readonly at: Date;
  readonly attempted: Attempted & { readonly durationMs: number };
  readonly step: NextStep;
}

interface StatusChange {
  readonly to: WebhookEndpointStatus;
  readonly from: readonly WebhookEndpointStatus[];
}

const stateAfter = { delivered: 'delivered', retry: 'waiting', exhausted: 'failed', gone: 'failed' } as const;

async function record(service: Service, endpoint: EndpointRow, made: Made): Promise<void> {
  const { delivery, claim, at, attempted, step } = made;
  const values: AttemptValues = {
    ...{ attemptId: service.newId(), eventId: delivery.event_id, endpointId: endpoint.id, claim, at },
    state: stateAfter[step.outcome],
    nextAt: step.outcome === 'retry' ? step.at : service.now(),
    ...{ status: attempted.status ?? null, failure: attempted.failure ?? null, durationMs: attempted.durationMs },
  };
  const change = changeOf(endpoint, step);
  if (!change) return void (await recordAttempt(service.db, values));
  await service.db.transaction().execute(async (trx) => {
    await setEndpointStatus(trx, endpoint.id, change.to, change.from);
    await recordAttempt(trx, values);
    if (change.to === 'off') await failWaiting(trx, endpoint.id);
  });
}

/** What an attempt says of the endpoint: one that takes an event again is healthy, one that is gone is switched off. */
function changeOf({ status }: EndpointRow, { outcome }: NextStep): StatusChange | undefined {
  if (outcome === 'gone') return { to: 'off', from: ['healthy', 'failing'] };
  if (outcome === 'exhausted') return { to: 'failing', from: ['healthy'] };
  return outcome === 'delivered' && status === 'failing' ? { to: 'healthy', from: ['failing'] } : undefined;
}
