import { ApiError } from '../ground/errors.js';
import { perService, type Service } from '../resources/service.js';
import type { Endpoint } from './endpoint.js';

/**
 * Runs work with a deadline. Work that exceeds it continues in the background and then releases its database connection;
 * the database limits the time of each statement.
 *
 * @throws {ApiError} `timeout`.
 */
export async function withDeadline<Value>(timeoutMs: number, work: () => Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ApiError('timeout', { detail: `The request was not completed within ${timeoutMs} ms.` }));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Number of running requests per bulk endpoint, counted separately for each service in the process. */
const countsOf = perService(() => new Map<Endpoint, number>());

/**
 * Runs the work of a request. Limits the number of concurrent bulk requests; a request that timed out counts until its
 * work ends.
 *
 * @throws {ApiError} `rate_limited` if too many bulk requests are running.
 */
export async function withConcurrencyLimit<Value>(
  service: Pick<Service, 'memory'>,
  endpoint: Endpoint,
  work: () => Promise<Value>,
): Promise<Value> {
  const { bulk } = endpoint;
  if (!bulk) return work();
  const counts = countsOf(service);
  const count = counts.get(endpoint) ?? 0;
  if (count >= bulk.concurrency) {
    const detail = `${count} requests of this kind (${bulk.name}) are already running. Try again later.`;
    throw new ApiError('rate_limited', { detail, retryAfterSeconds: 1 });
  }
  counts.set(endpoint, count + 1);
  try {
    return await work();
  } finally {
    counts.set(endpoint, (counts.get(endpoint) ?? 1) - 1);
  }
}
