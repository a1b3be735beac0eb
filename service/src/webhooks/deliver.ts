import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookEndpointStatus } from '../db/schema/index.js';
import type { Service } from '../service.js';
import {
  type AttemptValues,
  type ClaimedDelivery,
  claimDeliveries,
  failWaiting,
  listDueEndpoints,
  recordAttempt,
} from './queries/webhook-deliveries.js';
import { type EndpointRow, findEndpoint, setEndpointStatus } from './queries/webhook-endpoints.js';
import { type Attempted, type NextStep, nextStep } from './rules/next-step.js';
import { secretsOf } from './secrets.js';
import { webhookHeaders } from './sign.js';

/** How many events one process sends to one endpoint at a time. */
export const atOnce = 10;
/** Well over the time that an attempt may take: a worker that has not said by then what came of it is gone. */
const leaseMs = 60_000;
const lookMs = 1_000;
const gatherMs = 10;

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
 * Delivers what is due for one endpoint until nothing is, ten events at a time: the next goes out as soon as one of them
 * is answered, so that a slow answer holds up no more than its own place. Any number of workers can do this at once: each
 * event is with one of them. One that dies in between leaves it to the others, after a minute.
 */
export async function deliverTo(service: Service, endpointId: string, options: DeliveryOptions = {}): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  try {
    while (!options.signal?.aborted && failures.length === 0) {
      const free = atOnce - underWay.size;
      for (const attempt of free > 0 ? await claimAttempts(service, endpointId, free, options) : []) {
        const making = attempt()
          .catch((error: unknown) => void failures.push(error))
          .finally(() => underWay.delete(making));
        underWay.add(making);
      }
      if (underWay.size === 0) return;
      await untilFree(underWay);
    }
  } finally {
    await Promise.all(underWay);
  }
  if (failures.length > 0) throw failures[0];
}

/** Takes deliveries that are due, and answers how each is attempted. */
async function claimAttempts(
  service: Service,
  endpointId: string,
  limit: number,
  options: DeliveryOptions,
): Promise<(() => Promise<void>)[]> {
  // Anew each time: it may have been removed, switched off, or given another secret.
  const endpoint = await findEndpoint(service.db, endpointId);
  if (!endpoint || endpoint.status === 'off') return [];
  const claim = randomUUID();
  const now = service.now();
  const until = new Date(now.getTime() + leaseMs);
  const claimed = await claimDeliveries(service.db, { endpointId, now, until, claim, limit });
  return claimed.map((delivery) => () => deliver(service, endpoint, delivery, claim, options));
}

/** Waits for a free place, or until it is time to look for what has become due since. */
async function untilFree(underWay: ReadonlySet<Promise<void>>): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([...underWay, pause(lookMs, undefined, { signal }).catch(() => undefined)]);
  waiting.abort();
  // Answers come in swarms: one look for all the places that they leave is cheaper than one for each.
  await pause(gatherMs);
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
