import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from '../../resources/service.js';
import { type DeliveryOptions, deliverTo, dueEndpoints } from './deliver.js';
import type { EndpointKey } from './queries/webhook-deliveries.js';

const POLL_MS = 1_000;
const STOP_LIMIT_MS = 10_000;

export interface WebhookWorker {
  /** Starts no more attempts and waits for pending ones, at most 10 seconds. Other workers deliver the rest. */
  stop(): Promise<void>;
}

/**
 * Delivers events until it is stopped. Endpoints are handled independently, so a slow or unreachable one does not delay
 * others. Any number of processes can do this.
 */
export function startWebhookWorker(
  service: Service,
  { onAttempt }: Pick<DeliveryOptions, 'onAttempt'> = {},
): WebhookWorker {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<string, Promise<void>>();

  function begin(key: EndpointKey): void {
    const { endpointId } = key;
    if (running.has(endpointId)) return;
    const delivering = deliverTo(service, key, { signal, ...(onAttempt && { onAttempt }) })
      .catch((error: unknown) => service.log.warn({ error, endpoint: endpointId }, 'Webhook delivery failed'))
      .finally(() => running.delete(endpointId));
    running.set(endpointId, delivering);
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      try {
        for (const key of await dueEndpoints(service)) begin(key);
      } catch (error) {
        service.log.warn({ error }, 'Reading due webhook deliveries failed');
      }
      await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const polling = poll();
  return {
    async stop() {
      stopping.abort();
      await polling;
      const limit = new AbortController();
      const rest = Promise.all(running.values());
      await Promise.race([rest, pause(STOP_LIMIT_MS, undefined, limit).catch(() => undefined)]);
      limit.abort();
    },
  };
}
