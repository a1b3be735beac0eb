import type { Context } from 'hono';
import type { Address } from '../../addresses/addresses.js';
import { addressOfRequest } from '../client-address.js';
import { withDeadline } from '../deadline.js';
import type { HttpEnv } from '../environment.js';
import type { Serving } from '../serve.js';

/** Visitors bring no key, and many may share one address: so many requests a second for all of them. */
const pageRate = { perSecond: 50, burst: 100 };

/**
 * Answers within the time that there is, and not more often than one address may ask.
 *
 * @param pages Which pages: each kind has limits of its own.
 * @throws {ApiError} `rate_limited`, `timeout`, and whatever `answer` throws.
 */
export function withinPageLimits<Result>(
  serving: Serving,
  c: Context<HttpEnv>,
  pages: string,
  answer: (address: Address | undefined) => Promise<Result>,
): Promise<Result> {
  return withDeadline(serving.config.timeoutMs, async () => {
    const address = addressOfRequest(c, serving);
    await serving.limits.takeOf({ name: pages, ...pageRate }, address, new Headers());
    return answer(address);
  });
}
