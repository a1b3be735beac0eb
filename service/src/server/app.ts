import { Hono } from 'hono';
import { openApiDocument } from '../api/openapi/document.js';
import { isBrowserRequest, respondToError, respondToUnknownPage } from '../dashboard/respond.js';
import { isStartPageRequest, startPage } from '../dashboard/start-page.js';
import { lazy } from '../ground/lazy.js';
import { addressOfRequest } from '../http/client-address.js';
import type { AppContext, HttpConfig, HttpEnv } from '../http/environment.js';
import type { Metrics } from '../http/metrics.js';
import { commonHeaders, observe } from '../http/observe.js';
import { createAllowedOrigins, preflightHeaders } from '../http/origins.js';
import type { PublicParts } from '../http/public-route.js';
import { createRateLimits } from '../http/rate-limits.js';
import { errorResponse, toResponse } from '../http/response.js';
import { serveEndpoint } from '../http/serve.js';
import type { SharedDemand } from '../http/shared-demand.js';
import { unmatched } from '../http/unmatched.js';
import { DeviceWatch } from '../resources/devices/watch.js';
import type { Service } from '../resources/service.js';
import { endpoints, pageRoutes, publicRoutes } from './endpoints.js';

export interface AppOptions {
  readonly service: Service;
  /** Defaults: `timeoutMs` 10,000, `bodyLimitBytes` 64 KiB. */
  readonly config: Pick<HttpConfig, 'trustedProxies'> & Partial<HttpConfig>;
  readonly metrics: Metrics;
  /** Default: a new one, which does not listen for notifications from the database. */
  readonly watch?: DeviceWatch;
  /** Shares rate limits with other processes. Default: this process is the only one. */
  readonly demand?: SharedDemand;
  /** Aborted once the process is about to stop. Default: never. */
  readonly stopping?: AbortSignal;
}

/** Creates the application with all routes. */
export function createApp(options: AppOptions): Hono<HttpEnv> {
  const { service, config, metrics, watch = new DeviceWatch(service) } = options;
  const { stopping = new AbortController().signal } = options;
  const context: AppContext = {
    service,
    metrics,
    config: { timeoutMs: 10_000, bodyLimitBytes: 64 * 1024, ...config },
    limits: createRateLimits(options.demand),
    origins: createAllowedOrigins(service),
  };
  const app = new Hono<HttpEnv>();
  app.use(observe(context), commonHeaders(service.publicUrl));
  addEndpoints(app, context);
  const document = lazy(() => openApiDocument(endpoints, publicRoutes, service.publicUrl));
  addPublicRoutes(app, context, { document, watch, stopping });
  addPages(app, context);
  const publicPaths = publicRoutes.map(({ path }) => ({ method: 'get', path }));
  const respondToUnmatched = unmatched([...endpoints, ...publicPaths, ...pageRoutes], service);
  app.notFound((c) => {
    if (isStartPageRequest(c)) return startPage(service);
    return isBrowserRequest(c) ? respondToUnknownPage(service, c) : respondToUnmatched(c);
  });
  app.onError((thrown, c) =>
    isBrowserRequest(c)
      ? respondToError(service, c, thrown)
      : toResponse(errorResponse(service, thrown, c.get('requestId'))),
  );
  return app;
}

function addEndpoints(app: Hono<HttpEnv>, context: AppContext): void {
  for (const endpoint of endpoints) {
    const { method, path, keys } = endpoint;
    app.on(method.toUpperCase(), honoPath(path), (c) => {
      c.set('route', path);
      return serveEndpoint(context, endpoint, c);
    });
    if (keys !== 'any') continue;
    addPreflight(app, context, path, 'POST');
  }
}

function addPreflight(app: Hono<HttpEnv>, { origins }: AppContext, path: string, method: 'GET' | 'POST'): void {
  app.options(honoPath(path), async (c) => {
    c.set('route', path);
    return new Response(null, {
      status: 204,
      headers: await preflightHeaders(origins, c.req.header('origin'), method),
    });
  });
}

function addPublicRoutes(
  app: Hono<HttpEnv>,
  context: AppContext,
  parts: Pick<PublicParts, 'document' | 'watch' | 'stopping'>,
): void {
  const { service, metrics, origins, limits } = context;
  for (const { path, prepare, withDeviceToken, allowance } of publicRoutes) {
    const handle = prepare({ service, metrics, origins, ...parts });
    if (withDeviceToken) addPreflight(app, context, path, 'GET');
    app.get(honoPath(path), async (c) => {
      c.set('route', path);
      const headers = new Headers();
      try {
        if (allowance) await limits.consumeAllowance(allowance, addressOfRequest(c, context), headers);
      } catch (thrown) {
        return toResponse(errorResponse(service, thrown, c.get('requestId')), headers);
      }
      return handle(c);
    });
  }
}

function addPages(app: Hono<HttpEnv>, context: AppContext): void {
  for (const { method, path, prepare } of pageRoutes) {
    const handle = prepare(context);
    app.on(method.toUpperCase(), honoPath(path), (c) => {
      c.set('route', path);
      return handle(c);
    });
  }
}

/** Converts an OpenAPI path such as `/v2/challenges/{id}` to the router's syntax. */
function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
