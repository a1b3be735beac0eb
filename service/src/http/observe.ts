import type { MiddlewareHandler } from 'hono';
import { yearSeconds } from '../time.js';
import type { AppContext, HttpEnv } from './environment.js';

const saneId = /^[\w.-]{1,64}$/;
/** What no answer of ours should be taken for, whatever it says. */
const safety = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  // What may be kept says so itself.
  'Cache-Control': 'no-store',
  // Files that are for pages of other origins say so themselves.
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * Gives each request an id, and counts and logs it: method, pattern of the path, status, duration, project. Paths and
 * queries as they came hold users' names, and are written nowhere.
 */
export function observe({ service, metrics }: Pick<AppContext, 'service' | 'metrics'>): MiddlewareHandler<HttpEnv> {
  // What is written here is known, so that nothing has to be looked for in it.
  const log = service.log.child({}, { redact: [] });
  const always = Object.entries({ ...safety, ...strictTransport(service.publicUrl) });
  return async (c, next) => {
    const startedAt = performance.now();
    const given = c.req.header('x-request-id');
    const requestId = given !== undefined && saneId.test(given) ? given : service.newId();
    c.set('requestId', requestId);
    await next();
    const { headers, status } = c.res;
    headers.set('X-Request-Id', requestId);
    for (const [name, value] of always) if (!headers.has(name)) headers.set(name, value);
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

/** That browsers come back by https, where the service is reached by it (RFC 6797). */
function strictTransport(publicUrl: string): Record<string, string> {
  return publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${yearSeconds}` } : {};
}

/** Methods are any words that a caller thinks up; as labels they would be without end. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'].includes(method) ? method : 'other';
}
