import type { Context } from 'hono';
import { ApiError } from '../ground/errors.js';
import { type Address, readAddress } from '../resources/addresses/addresses.js';
import { type Caller, currentReaderOf } from '../resources/service.js';
import { authenticate, bearerKey } from './authenticate.js';
import { type ReadBody, readBody } from './body.js';
import { addressOfRequest } from './client-address.js';
import { type Endpoint, isIdempotent } from './endpoint.js';
import type { AppContext, HttpConfig, HttpEnv } from './environment.js';
import { respondOnce } from './idempotency.js';
import { allowOrigin, checkOrigin } from './origins.js';
import { wrongKeys } from './rate-limits.js';
import { errorResponse, jsonResponse, OwnResponse, type ResponseParts, toResponse } from './response.js';
import { withConcurrencyLimit, withDeadline } from './work-limits.js';

/**
 * Handles a request to an endpoint: authenticates it, applies rate limits, reads the body, and calls the endpoint.
 * Headers that are set on the way, such as the rate limit, are also sent with errors.
 */
export async function serveEndpoint(context: AppContext, endpoint: Endpoint, c: Context<HttpEnv>): Promise<Response> {
  const headers = new Headers(deprecationOf(endpoint, c));
  const { bodyLimitBytes, timeoutMs } = limitsOf(context, endpoint);
  const response = await responseOrError(context, c, () =>
    withDeadline(timeoutMs, async () => {
      const address = addressOfRequest(c, context);
      const caller = await authoriseWithinLimits(context, endpoint, c, { address, headers });
      c.set('projectId', caller.project.id);
      const { onBehalfOfVisitors } = endpoint;
      const ownLimits = caller.kind === 'secret' ? onBehalfOfVisitors : undefined;
      if (!ownLimits) await context.limits.consume(caller, address, headers);
      return withConcurrencyLimit(context.service, endpoint, async () => {
        const body = hasBody(endpoint) ? await readBody(c, bodyLimitBytes) : noBody;
        if (ownLimits) await context.limits.consumeForVisitor(ownLimits, caller, visitorIn(body), headers);
        const requests = endpoint.requestsIn?.(body.value) ?? 1;
        // The first was counted before the body was read.
        for (let count = 1; count < requests; count += 1) await context.limits.consume(caller, address, headers);
        return responseOf(context, endpoint, c, { caller, address, body, headers });
      });
    }),
  );
  return toResponse(response, headers);
}

function limitsOf({ config }: AppContext, { bulk }: Endpoint): Pick<HttpConfig, 'bodyLimitBytes' | 'timeoutMs'> {
  if (!bulk) return config;
  return { bodyLimitBytes: bulk.bodyLimitBytes, timeoutMs: Math.max(config.timeoutMs, bulk.timeoutMs) };
}

/** Returns the visitor's address that a body contains. An invalid one is refused later. */
function visitorIn({ value }: ReadBody): Address | undefined {
  const ip: unknown = Object(value).ip;
  return typeof ip === 'string' ? readAddress(ip) : undefined;
}

/** A body of GET and DELETE has no meaning (RFC 9110, section 9.3), so it is not read. */
function hasBody({ method }: Endpoint): boolean {
  return method === 'post' || method === 'put';
}

const noBody: ReadBody = { text: '', value: {} };

/** Returns the response, or the error as a response. */
async function responseOrError(
  { service }: AppContext,
  c: Context<HttpEnv>,
  response: () => Promise<ResponseParts>,
): Promise<ResponseParts> {
  try {
    return await response();
  } catch (thrown) {
    return errorResponse(service, thrown, c.get('requestId'));
  }
}

/**
 * Returns the caller that a request's key belongs to. Invalid keys count against the address's limit, which does not
 * affect valid keys from the same address.
 *
 * @throws {ApiError} `unauthorized`, `forbidden`, or `rate_limited` after too many invalid keys.
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
      await context.limits.consumeAllowance(wrongKeys, address, headers);
    throw error;
  }
}

async function authorise(
  { service, origins }: AppContext,
  endpoint: Endpoint,
  c: Context,
  headers: Headers,
): Promise<Caller> {
  const key = bearerKey(c.req.header('authorization'));
  if (endpoint.keys !== 'any') return authenticate(service, key, endpoint);
  const origin = c.req.header('origin');
  headers.append('Vary', 'Origin');
  // Before authentication, so that a page can read the error. Pages must not use secret keys.
  if (origin !== undefined && !key?.startsWith('sk_') && (await origins.has(origin))) allowOrigin(headers, origin);
  const caller = await authenticate(service, key, endpoint);
  checkOrigin(caller, origin, headers);
  return caller;
}

interface AuthorisedRequest {
  readonly caller: Caller;
  readonly address: Address | undefined;
  readonly body: ReadBody;
  /** Headers of the response. */
  readonly headers: Headers;
}

async function responseOf(
  context: AppContext,
  endpoint: Endpoint,
  c: Context<HttpEnv>,
  { caller, address, body, headers }: AuthorisedRequest,
): Promise<ResponseParts> {
  const { metrics } = context;
  const service = endpoint.readsReplica ? await currentReaderOf(context.service) : context.service;
  const params = readParams(c);
  const parts = { service, metrics, caller, address, headers: c.req.raw.headers, responseHeaders: headers };
  const received = { ...parts, params, query: c.req.queries(), body: body.value };
  const response = async () => {
    const value = await endpoint.serve(received);
    return value instanceof OwnResponse ? value : jsonResponse(value);
  };
  const key = caller.kind === 'secret' && isIdempotent(endpoint) ? c.req.header('idempotency-key') : undefined;
  if (!key) return response();
  const route = `POST ${endpoint.path}`;
  const request = {
    caller,
    route,
    path: c.req.path,
    body: body.text,
    key,
    timeoutMs: limitsOf(context, endpoint).timeoutMs,
  };
  return respondOnce(service, request, () => responseOrError(context, c, response));
}

/** @throws {ApiError} `not_found` if the path is not percent-encoded UTF-8, which the router would pass on undecoded. */
function readParams(c: Context): Record<string, string> {
  try {
    decodeURIComponent(c.req.path);
  } catch (cause) {
    throw new ApiError('not_found', {
      detail: 'The path is not valid. Percent-encode each ID in it as UTF-8.',
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
