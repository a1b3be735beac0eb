import type { Context, MiddlewareHandler } from 'hono';
import type {
  Attempt,
  Decision,
  ProtectionOptions,
  ProtectOptionsFor,
  RoutesOptionsFor,
  WebhookOptions,
} from './options.js';
import { Protection } from './protection.js';
import { notLoggedIn } from './replies.js';
import { type RouteName, routeOf } from './routes.js';
import type { VisitorRequest } from './visitor-request.js';
import { isForm, readBytes, responseOf, visitorOf, type WebDecision, withResponse } from './web.js';

export { forwardedFor } from '../server/index.js';
export type {
  Attempt,
  Decision,
  LoggedIn,
  ProtectionOptions,
  ProtectOptionsFor,
  RoutesOptionsFor,
  User,
  WebhookOptions,
} from './options.js';
export type { Begun, ChallengeWith, FactorRequest, OwnFactor } from './own-factor.js';
export type { WebDecision } from './web.js';

/** Options for Hono. */
export interface HonoOptions extends ProtectionOptions {
  /**
   * Returns the visitor's address: `(c) => getConnInfo(c).remote.address`, or behind proxies `(c) =>
   * forwardedFor(1)(c.req.raw)`. If it returns undefined, `withoutAddress` applies.
   */
  readonly clientAddress: (c: Context) => string | undefined;
}

/** What `protect` evaluates. */
export type ProtectOptions = ProtectOptionsFor<[c: Context]>;

/** Options of the routes that the page calls. */
export type RoutesOptions = RoutesOptionsFor<[c: Context]>;

/** The middleware and routes of Hono. */
export interface HonoProtection {
  /** Middleware that evaluates an action, and continues or answers. Sets `c.get('whorl')`. */
  protect(options: ProtectOptions): MiddlewareHandler<{ Variables: { whorl: Decision } }>;
  /** Evaluates an action in a handler. If the decision is not to continue, return `response`. */
  decide(c: Context, attempt: Attempt): Promise<WebDecision>;
  /**
   * Reports an attempt that the application's own checks rejected, such as a wrong password. If the decision is not to
   * continue, return `response`, which a right password would have received too.
   */
  reportFailure(c: Context, attempt: Attempt): Promise<WebDecision>;
  /** The routes that the page calls: `app.post('/whorl/*', whorl.routes())`. */
  routes(options?: RoutesOptions): MiddlewareHandler;
  /** The route of a webhook: `app.post('/webhook', whorl.webhook(…))`. */
  webhook(options: WebhookOptions): MiddlewareHandler;
}

/** Creates the middleware and routes for Hono 4, on Node, Deno, Bun and workers. */
export function whorlHono({ clientAddress, ...options }: HonoOptions): HonoProtection {
  const protection = new Protection(options);
  const visitor = async (c: Context, route?: RouteName): Promise<VisitorRequest> => {
    const ip = clientAddress(c);
    // Hono keeps what the application has read by `c.req`.
    return isKept(c) ? { headers: c.req.raw.headers, body: await keptBody(c), ip } : visitorOf(c.req.raw, ip, route);
  };
  const decide: HonoProtection['decide'] = async (c, attempt) =>
    withResponse(await protection.protect(await visitor(c), attempt));
  return {
    decide,
    protect:
      ({ user: findUser, ...attempt }) =>
      async (c, next) => {
        const user = await findUser(c);
        if (!user) return responseOf(notLoggedIn);
        const { response, ...decision } = await decide(c, { ...attempt, ...user });
        c.set('whorl', decision);
        return response ?? (await next());
      },
    reportFailure: async (c, attempt) => withResponse(await protection.reportFailure(await visitor(c), attempt)),
    routes:
      ({ user: findUser } = {}) =>
      async (c, next) => {
        const route = routeOf(c.req.path);
        if (!route) return await next();
        return responseOf(await protection.respond(route, await visitor(c, route), findUser && (() => findUser(c))));
      },
    webhook: (webhook) => async (c) => {
      const { raw } = c.req;
      const body = isKept(c) ? await c.req.arrayBuffer() : await (await readBytes(raw))?.arrayBuffer();
      return responseOf(await protection.receive(body, raw.headers, webhook));
    },
  };
}

function isKept({ req }: Context): boolean {
  return Object.keys(req.bodyCache).length > 0;
}

async function keptBody({ req }: Context): Promise<unknown> {
  try {
    return await (isForm(req.header('content-type') ?? '') ? req.parseBody() : req.json());
  } catch {
    // Not a body that can have a fingerprint.
    return undefined;
  }
}
