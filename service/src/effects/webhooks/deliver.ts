import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookEndpointStatus } from '../../ground/db/schema/index.js';
import { minuteMs } from '../../ground/time.js';
import type { Attempted } from '../../resources/events/rules/attempted.js';
import type { Service } from '../../resources/service.js';
import {
  type AttemptValues,
  type EndpointKey,
  failWaiting,
  type LeasedDelivery,
  leaseDeliveries,
  listDueEndpoints,
  recordAttempt,
} from './queries/webhook-deliveries.js';
import { type EndpointRow, findEndpoint, setEndpointStatus } from './queries/webhook-endpoints.js';
import { type NextStep, nextStep } from './rules/next-step.js';
import { secretsOf } from './secrets.js';
import { webhookHeaders } from './sign.js';

/** Number of events that one process sends to one endpoint at a time. */
const maxConcurrentAttempts = 10;
/** Well over the time limit of an attempt: a worker that has not recorded the outcome by then has crashed. */
const leaseMs = minuteMs;
const checkMs = 1_000;
const batchMs = 10;

export type Outcome = 'delivered' | 'failed';

export interface DeliveryOptions {
  /** Called after each attempt. */
  readonly onAttempt?: (outcome: Outcome) => void;
  /** Once aborted, no further attempts are started. */
  readonly signal?: AbortSignal;
}

/** Returns the endpoints with deliveries that are due. */
export function dueEndpoints({ db, now }: Service): Promise<EndpointKey[]> {
  return listDueEndpoints(db, { now: now() });
}

/**
 * Delivers the events that are due for one endpoint, ten at a time, until none are left. A new attempt starts as soon
 * as one finishes, so a slow response occupies only its own slot. Any number of workers can do this at once, because
 * each event is leased by one of them. If a worker crashes, its events become due again after a minute.
 */
export async function deliverTo(service: Service, key: EndpointKey, options: DeliveryOptions = {}): Promise<void> {
  const pending = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    while (!options.signal?.aborted && failures.length === 0) {
      const freeSlots = maxConcurrentAttempts - pending.size;
      for (const attempt of freeSlots > 0 ? await leaseAttempts(service, key, freeSlots, options) : []) {
        const attemptPromise = attempt()
          .catch((error: unknown) => void failures.push(error))
          .finally(() => pending.delete(attemptPromise));
        pending.add(attemptPromise);
      }
      if (pending.size === 0) return;
      await waitForSlot(pending);
    }
  } finally {
    await Promise.all(pending);
  }
  if (failures.length > 0) throw failures[0];
}

/** Leases deliveries that are due. Returns one function for each, which makes the attempt. */
async function leaseAttempts(
  service: Service,
  key: EndpointKey,
  limit: number,
  options: DeliveryOptions,
): Promise<(() => Promise<void>)[]> {
  // Read again each time, because the endpoint may have been deleted, switched off, or given another secret.
  const endpoint = await findEndpoint(service.db, key);
  if (!endpoint || endpoint.status === 'off') return [];
  const lease = randomUUID();
  const now = service.now();
  const until = new Date(now.getTime() + leaseMs);
  const leased = await leaseDeliveries(service.db, { ...key, now, until, lease, limit });
  return leased.map((delivery) => () => deliver(service, endpoint, { delivery, lease }, options));
}

/** Waits for a free slot, or until it is time to check for newly due events. */
async function waitForSlot(pending: ReadonlySet<Promise<void>>): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([...pending, pause(checkMs, undefined, { signal }).catch(() => undefined)]);
  waiting.abort();
  // Responses often arrive together; one query for all free slots is cheaper than one for each.
  await pause(batchMs);
}

interface HeldDelivery {
  readonly delivery: LeasedDelivery;
  /** ID of the lease. */
  readonly lease: string;
}

async function deliver(
  service: Service,
  endpoint: EndpointRow,
  { delivery, lease }: HeldDelivery,
  { onAttempt }: DeliveryOptions,
): Promise<void> {
  const at = service.now();
  const { event_id: id, type, data, created_at } = delivery;
  const body = JSON.stringify({ type, timestamp: created_at.toISOString(), data });
  const headers = webhookHeaders({ id, at, body }, secretsOf(service, endpoint));
  const attempted = await service.webhooks.post({ url: endpoint.url, headers, body });
  onAttempt?.(attempted.failure === undefined ? 'delivered' : 'failed');
  const step = nextStep(attempted, delivery.attempts, { now: service.now(), random: Math.random() });
  await record(service, endpoint, { delivery, lease, at, attempted, step });
}

interface CompletedAttempt extends HeldDelivery {
  readonly at: Date;
  readonly attempted: Attempted & { readonly durationMs: number };
  readonly step: NextStep;
}

interface StatusChange {
  readonly to: WebhookEndpointStatus;
  readonly from: readonly WebhookEndpointStatus[];
}

const stateAfter = { delivered: 'delivered', retry: 'waiting', exhausted: 'failed', gone: 'failed' } as const;

async function record(service: Service, endpoint: EndpointRow, completed: CompletedAttempt): Promise<void> {
  const { delivery, lease, at, attempted, step } = completed;
  const values: AttemptValues = {
    attemptId: service.newId(),
    eventId: delivery.event_id,
    lease,
    at,
    worldId: endpoint.world_id,
    endpointId: endpoint.id,
    state: stateAfter[step.outcome],
    nextAt: step.outcome === 'retry' ? step.at : service.now(),
    status: attempted.status ?? null,
    failure: attempted.failure ?? null,
    durationMs: attempted.durationMs,
  };
  const change = changeOf(endpoint, step);
  if (!change) return void (await recordAttempt(service.db, values));
  await service.db.transaction().execute(async (trx) => {
    await setEndpointStatus(trx, endpoint, change.to, change.from);
    await recordAttempt(trx, values);
    if (change.to === 'off') await failWaiting(trx, values);
  });
}

/**
 * Returns how an attempt changes the endpoint's status: one that accepts an event again is healthy, one that responds
 * with 410 is switched off.
 */
function changeOf({ status }: EndpointRow, { outcome }: NextStep): StatusChange | undefined {
  if (outcome === 'gone') return { to: 'off', from: ['healthy', 'failing'] };
  if (outcome === 'exhausted') return { to: 'failing', from: ['healthy'] };
  return outcome === 'delivered' && status === 'failing' ? { to: 'healthy', from: ['failing'] } : undefined;
}
