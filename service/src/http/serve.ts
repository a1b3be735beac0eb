import type { Context } from 'hono';
import type { Address } from '../addresses/addresses.js';
import { ApiError } from '../errors.js';
import type { Caller } from '../service.js';
import { type Answer, answerError, jsonAnswer, toResponse } from './answer.js';
import { authenticate, bearerKey } from './authenticate.js';
import { type ReadBody, readBody } from './body.js';
import { addressOfRequest } from './client-address.js';
import type { Endpoint } from './endpoint.js';
import type { AppContext, HttpConfig, HttpEnv } from './environment.js';
import { answerOnce } from './idempotency.js';
import { allowOrigin, checkOrigin } from './origins.js';
import { wrongKeys } from './rate-limits.js';
import { withDeadline, withPlace } from './work-limits.js';

/**
 * Answers a request to an endpoint: who asks, from where, how often, with what; then the endpoint itself. What is
 * learnt on the way, such as what is left of a rate limit, stands in the headers of refusals too.
 */
export async function serveEndpoint(context: AppContext, endpoint: Endpoint, c: Context<HttpEnv>): Promise<Response> {
  const headers = new Headers({ 'Cache-Control': 'no-store', ...deprecationOf(endpoint, c) });
  const { bodyLimitBytes, timeoutMs } = limitsOf(context, endpoint);
  const answer = await settle(context, c, () =>
    withDeadline(timeoutMs, async () => {
      const address = addressOfRequest(c, context);
      const caller = await authoriseWithinLimits(context, endpoint, c, { address, headers });
      c.set('projectId', caller.project.id);
      await context.limits.take(caller, address, headers);
      return withPlace(context.service, endpoint, async () => {
        const body = endpoint.method === 'post' ? await readBody(c, bodyLimitBytes) : noBody;
        return answerOf(context, endpoint, c, { caller, address, body });
      });
    }),
  );
  return toResponse(answer, headers);
}

function limitsOf({ config }: AppContext, { bulk }: Endpoint): Pick<HttpConfig, 'bodyLimitBytes' | 'timeoutMs'> {
  if (!bulk) return config;
  return { bodyLimitBytes: bulk.bodyLimitBytes, timeoutMs: Math.max(config.timeoutMs, bulk.timeoutMs) };
}

const noBody: ReadBody = { text: '', value: {} };

/** The answer, or what is told of an error. */
async function settle({ service }: AppContext, c: Context<HttpEnv>, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (thrown) {
    return answerError(service, thrown, c.get('requestId'));
  }
}

/**
 * Returns whose key a request carries. Keys that are not valid count against the address: a valid key from there is always
 * served.
 *
 * @throws {ApiError} `unauthorized`, `forbidden`, or `rate_limited` after too many wrong keys.
 */
async function authoriseWithinLimits(
  context: AppContext,
  endpoint: Endpoint,
  c: Context,
  { address, headers }: { readonly address: Address | undefined; readonly headers: Headers },
): Promise<Caller> {
  try {
    return await authorise(context, endpoint, c, headers);
  } catch (error) {
    const hasKey = bearerKey(c.req.header('authorization')) !== undefined;
    if (hasKey && error instanceof ApiError && error.code === 'unauthorized')
      await context.limits.takeOf(wrongKeys, address, headers);
    throw error;
  }
}

async function authorise(
  { service, origins }: AppContext,
  { keys = 'secret' }: Endpoint,
  c: Context,
  headers: Headers,
): Promise<Caller> {
  const key = bearerKey(c.req.header('authorization'));
  if (keys === 'secret') return authenticate(service, key, keys);
  const origin = c.req.header('origin');
  headers.append('Vary', 'Origin');
  // Before the key is known, so that a page can read that it is wrong. To a secret key no page is let.
  if (origin !== undefined && !key?.startsWith('sk_') && (await origins.has(origin))) allowOrigin(headers, origin);
  const caller = await authenticate(service, key, keys);
  checkOrigin(caller, origin, headers);
  return caller;
}

interface Arrived {
  readonly caller: Caller;
  readonly address: Address | undefined;
  readonly body: ReadBody;
}

async function answerOf(
  context: AppContext,
  endpoint: Endpoint,
  c: Context<HttpEnv>,
  { caller, address, body }: Arrived,
): Promise<Answer> {
  const { service, metrics } = context;
  const params = readParams(c);
  const received = { service, metrics, caller, address, params, query: c.req.query(), body: body.value };
  const answer = async () => jsonAnswer(await endpoint.serve(received));
  const key = endpoint.method === 'post' && caller.kind === 'secret' ? c.req.header('idempotency-key') : undefined;
  if (!key) return answer();
  const route = `POST ${endpoint.path}`;
  const request = {
    caller,
    route,
    path: c.req.path,
    body: body.text,
    key,
    timeoutMs: limitsOf(context, endpoint).timeoutMs,
  };
  return answerOnce(service, request, () => settle(context, c, answer));
}

/** @throws {ApiError} `not_found` where the path is not percent-encoded UTF-8: the router would pass it on as it is. */
function readParams(c: Context): Record<string, string> {
  try {
    decodeURIComponent(c.req.path);
  } catch (cause) {
    throw new ApiError('not_found', {
      detail: 'The path is not valid: encode each id in it as UTF-8 in percent-encoding.',
      cause,
    });
  }
  return c.req.param();
}

function deprecationOf({ deprecated }: Endpoint, c: Context): Record<string, string> {
  if (!deprecated) return {};
  const successor = deprecated.successor.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(c.req.param(name) ?? ''),
  );
  return {
    Deprecation: `@${deprecated.since.getTime() / 1000}`,
    Link: `<${successor}>; rel="successor-version"`,
  };
}
