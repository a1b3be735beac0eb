import { ApiError } from '../errors.js';
import type { Service } from '../service.js';
import type { Endpoint } from './endpoint.js';

/**
 * Waits for work, but not for ever. Work that is late goes on behind the caller's back, and gives back its connection at
 * its end: the database ends each statement after a while.
 *
 * @throws {ApiError} `timeout`.
 */
export async function withDeadline<Value>(timeoutMs: number, work: () => Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ApiError('timeout', { detail: `The request was not answered within ${timeoutMs} ms.` }));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** How many requests to a bulk endpoint are being worked on. Several services in one process count by themselves. */
const working = new WeakMap<Service['db'], Map<Endpoint, number>>();

/**
 * Does the work of a request; of bulk requests only so many at once. A place is free again when the work is over, also
 * where the request timed out before.
 *
 * @throws {ApiError} `rate_limited` where no place is free.
 */
export async function withPlace<Value>(
  { db }: Pick<Service, 'db'>,
  endpoint: Endpoint,
  work: () => Promise<Value>,
): Promise<Value> {
  const { bulk } = endpoint;
  if (!bulk) return work();
  const counts = working.get(db) ?? new Map<Endpoint, number>();
  working.set(db, counts);
  const count = counts.get(endpoint) ?? 0;
  if (count >= bulk.atOnce) {
    const detail = `This process is working on ${count} requests of this kind (${bulk.name}) already. Send it again later.`;
    throw new ApiError('rate_limited', { detail, retryAfterSeconds: 1 });
  }
  counts.set(endpoint, count + 1);
  try {
    return await work();
  } finally {
    counts.set(endpoint, (counts.get(endpoint) ?? 1) - 1);
  }
}
