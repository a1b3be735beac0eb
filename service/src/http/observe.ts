import type { MiddlewareHandler } from 'hono';
import { asRequest } from '../ground/give-way.js';
import { yearSeconds } from '../ground/time.js';
import type { AppContext, HttpEnv } from './environment.js';

const requestIdPattern = /^[\w.-]{1,64}$/;

/**
 * Assigns each request an ID, counts it, and logs its method, path pattern, status, duration and project. The actual path
 * and query are never logged, because they contain user IDs.
 */
export function observe({ service, metrics }: Pick<AppContext, 'service' | 'metrics'>): MiddlewareHandler<HttpEnv> {
  // The fields are fixed, so none needs redacting.
  const log = service.log.child({}, { redact: [] });
  return async (c, next) => {
    const startedAt = performance.now();
    const received = c.req.header('x-request-id');
    const requestId = received !== undefined && requestIdPattern.test(received) ? received : service.newId();
    c.set('requestId', requestId);
    c.env.outgoing.setHeader('X-Request-Id', requestId);
    await asRequest(next);
    const { status } = c.res;
    const { method } = c.req;
    const route = c.get('route') ?? 'none';
    const durationMs = performance.now() - startedAt;
    metrics.countRequest({ method: knownMethod(method), route, status, seconds: durationMs / 1000 });
    log.info(
      {
        request_id: requestId,
        method: knownMethod(method),
        route,
        status,
        duration_ms: Math.round(durationMs * 10) / 10,
        project: c.get('projectId'),
      },
      'request',
    );
  };
}

/**
 * Sets headers that every response has. Handlers override them: pages set their own policies, files for other origins set
 * `Cross-Origin-Resource-Policy`, and cacheable responses set `Cache-Control`. Setting them on Node's response takes
 * less time than on a `Headers` object.
 */
export function commonHeaders(publicUrl: string): MiddlewareHandler<HttpEnv> {
  const common = Object.entries({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    // Only if the service is reached over https (RFC 6797).
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${yearSeconds}` }),
  });
  return async (c, next) => {
    for (const [name, value] of common) c.env.outgoing.setHeader(name, value);
    await next();
  };
}

/** A caller can send any method name; as labels their number would be unbounded. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'].includes(method) ? method : 'other';
}
