import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
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
    await asRequest(next);
    const { headers, status } = c.res;
    headers.set('X-Request-Id', requestId);
    // Handlers with cacheable responses set the header themselves.
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
 * Sets the security headers of every response. Handlers can override them: pages set their own policies, and files for
 * other origins set `Cross-Origin-Resource-Policy`.
 */
export function securityHeaders(publicUrl: string): MiddlewareHandler {
  return secureHeaders({
    overwrite: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    // Only if the service is reached over https (RFC 6797).
    strictTransportSecurity: publicUrl.startsWith('https:') && `max-age=${yearSeconds}`,
    // Pages set the first two themselves. The others only affect obsolete browsers.
    crossOriginOpenerPolicy: false,
    xFrameOptions: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

/** A caller can send any method name; as labels their number would be unbounded. */
function knownMethod(method: string): string {
  return ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'].includes(method) ? method : 'other';
}
