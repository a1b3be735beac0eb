import type { Context } from 'hono';
import type { Address } from '../../addresses/addresses.js';
import { ApiError } from '../../errors.js';
import { readText } from '../body.js';
import { addressOfRequest } from '../client-address.js';
import type { AppContext, HttpEnv } from '../environment.js';
import { withDeadline } from '../work-limits.js';

/** A route of a page for people: it answers with HTML, or leads on. No part of the API. */
export interface PageRoute {
  readonly method: 'get' | 'post';
  /** As endpoints write it: `/challenge/{id}`. */
  readonly path: string;
  /** Called once; what does not change is made there. */
  prepare(context: AppContext): (c: Context<HttpEnv>) => Response | Promise<Response>;
}

/** Visitors bring no key, and many may share one address: so many requests a second for all of them. */
const pageRate = { perSecond: 50, burst: 100 };

/**
 * Answers within the time that there is, and not more often than one address may ask.
 *
 * @param pages Which pages: each kind has limits of its own.
 * @throws {ApiError} `rate_limited`, `timeout`, and whatever `answer` throws.
 */
export function withinPageLimits<Result>(
  context: AppContext,
  c: Context<HttpEnv>,
  pages: string,
  answer: (address: Address | undefined) => Promise<Result>,
): Promise<Result> {
  return withDeadline(context.config.timeoutMs, async () => {
    const address = addressOfRequest(c, context);
    await context.limits.takeOf({ name: pages, ...pageRate }, address, new Headers());
    return answer(address);
  });
}

/** The forms of most pages have a few short fields. */
const usualLimitBytes = 8 * 1024;

/**
 * Reads the fields of a form: 8 KiB at most, unless told otherwise.
 *
 * @throws {ApiError} `too_large`, `unsupported_media_type`, `invalid_request`
 */
export async function readForm(c: Context, limitBytes = usualLimitBytes): Promise<URLSearchParams> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new ApiError('unsupported_media_type', { detail: 'Send a form.' });
  }
  return new URLSearchParams(await readText(c, limitBytes));
}
