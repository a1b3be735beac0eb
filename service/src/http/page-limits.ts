import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context } from 'hono';
import type { Address } from '../domain/addresses.js';
import { defaultSettings } from '../domain/settings.js';
import { clientAddress } from './client-address.js';
import { withDeadline } from './deadline.js';
import type { HttpEnv } from './environment.js';
import type { Serving } from './serve.js';

/** Visitors bring no key, and many may share one address: so many requests a second for all of them. */
const rateLimits = { ...defaultSettings.rate_limits, publishable_per_second: 50, publishable_burst: 100 };
const settings = { ...defaultSettings, rate_limits: rateLimits };

/**
 * Answers within the time that there is, and not more often than one address may ask.
 *
 * @param pages Which pages: each kind has limits of its own.
 * @throws {ApiError} `rate_limited`, `timeout`, and whatever `answer` throws.
 */
export function withinPageLimits<Result>(
  { config, limits }: Serving,
  c: Context<HttpEnv>,
  pages: string,
  answer: (address: Address | undefined) => Promise<Result>,
): Promise<Result> {
  return withDeadline(config.timeoutMs, async () => {
    const { address: connection } = getConnInfo(c).remote;
    const address = clientAddress(connection, c.req.header('x-forwarded-for'), config.trustedProxies);
    await limits.take({ keyId: pages, kind: 'publishable', settings }, address, new Headers());
    return answer(address);
  });
}
