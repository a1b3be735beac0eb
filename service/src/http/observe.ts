import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { yearSeconds } from '../time.js';
import type { AppContext, HttpEnv } from './environment.js';

const saneId = /^[\w.-]{1,64}$/;

/**
 * Gives each request an id, and counts and logs it: method, pattern of the path, status, duration, project. Paths and
 * queries as they came hold users' names, and are written nowhere.
 */
export function observe({ service, metrics }: Pick<AppContext, 'service' | 'metrics'>): MiddlewareHandler<HttpEnv> {
  // What is written here is known, so that nothing has to be looked for in it.
  const log = service.log.child({}, { redact: [] });
  return async (c, next) => {
    const startedAt = performance.now();
    const given = c.req.header('x-request-id');
    const requestId = given !== undefined && saneId.test(given) ? given : service.newId();
    c.set('requestId', requestId);
    await next();
    const { headers, status } = c.res;
    headers.set('X-Request-Id', requestId);
    // A handler whose answer may be kept says so itself.
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
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
 * Sets the headers that protect every answer. A handler that needs another value sets it itself: pages set their policies,
 * and files for pages of other origins set `Cross-Origin-Resource-Policy`.
 */
export function protectAnswers(publicUrl: string): MiddlewareHandler {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    // So that browsers come back by https, where the service is reached by it (RFC 6797).
    strictTransportSecurity: publicUrl.startsWith('https:') && `max-age=${yearSeconds}`,
    // Pages set these two where they fit; the others are for browsers of the past.
    crossOriginOpenerPolicy: false,
    xFrameOptions: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

/** Methods are any words that a caller thinks up; as labels they would be without end. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'].includes(method) ? method : 'other';
}
