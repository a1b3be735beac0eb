import type { Context } from 'hono';
import { ApiError } from '../../ground/errors.js';
import type { Address } from '../../resources/addresses/addresses.js';
import { readText } from '../body.js';
import { addressOfRequest } from '../client-address.js';
import type { AppContext, HttpEnv } from '../environment.js';
import { withDeadline } from '../work-limits.js';

/** Route of an HTML page or redirect, not part of the API. */
export interface PageRoute {
  readonly method: 'get' | 'post';
  /** In OpenAPI syntax: `/challenge/{id}`. */
  readonly path: string;
  /** Creates the handler. Called once, so that constant values are computed only once. */
  prepare(context: AppContext): (c: Context<HttpEnv>) => Response | Promise<Response>;
}

/** Rate limit per address. Visitors have no key, and many may share one address. */
const pageRate = { perSecond: 50, burst: 100 };

/**
 * Handles a page request within the deadline and the rate limit of its address.
 *
 * @param pages Name of the group of pages. Each group has separate limits.
 * @param timeoutMs Deadline, if it is later than that of all requests.
 * @throws {ApiError} `rate_limited`, `timeout`, and errors of `handle`.
 */
export function withinPageLimits<Result>(
  context: AppContext,
  c: Context<HttpEnv>,
  pages: string,
  handle: (address: Address | undefined) => Promise<Result>,
  timeoutMs = 0,
): Promise<Result> {
  return withDeadline(Math.max(context.config.timeoutMs, timeoutMs), async () => {
    const address = addressOfRequest(c, context);
    await context.limits.consumeAllowance({ name: pages, ...pageRate }, address, new Headers());
    return handle(address);
  });
}

/** Most forms have a few short fields. */
const defaultLimitBytes = 8 * 1024;

/**
 * Reads the fields of a form, by default at most 8 KiB.
 *
 * @throws {ApiError} `too_large`, `unsupported_media_type`, `invalid_request`
 */
export async function readForm(c: Context, limitBytes = defaultLimitBytes): Promise<URLSearchParams> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new ApiError('unsupported_media_type', { detail: 'Send a form.' });
  }
  return new URLSearchParams(await readText(c, limitBytes));
}
