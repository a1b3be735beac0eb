import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { WebhookBody } from '../server/index.js';
import { bodyOf, rawBodyOf, sendReply } from './node.js';
import { createAddressReader, type TrustedProxies } from './node-address.js';
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

export type { TrustedProxies } from './node-address.js';
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

declare global {
  namespace Express {
    interface Locals {
      /** What `protect` decided. */
      whorl?: Decision;
    }
  }
}

/** Options for Express. */
export interface ExpressOptions extends ProtectionOptions, TrustedProxies {}

/** What `protect` evaluates. */
export type ProtectOptions = ProtectOptionsFor<[request: Request, response: Response]>;

/** Options of the routes that the page calls. */
export type RoutesOptions = RoutesOptionsFor<[request: Request, response: Response]>;

/** The middleware and routes of Express. */
export interface ExpressProtection {
  /** Middleware that evaluates an action, and continues or answers. Sets `response.locals.whorl`. */
  protect(options: ProtectOptions): RequestHandler;
  /** Evaluates an action in a handler. If the decision is not to continue, the response has been sent. */
  decide(request: Request, response: Response, attempt: Attempt): Promise<Decision>;
  /**
   * Reports an attempt that the application's own checks rejected, such as a wrong password. If the decision is not to
   * continue, the response that a right password would have received too has been sent.
   */
  reportFailure(request: Request, response: Response, attempt: Attempt): Promise<Decision>;
  /** The routes that the page calls: mount them with `app.use('/whorl', whorl.routes())`. */
  routes(options?: RoutesOptions): RequestHandler;
  /** The route of a webhook: mount it before `express.json()`, which would change the body. */
  webhook(options: WebhookOptions): RequestHandler;
}

/**
 * Creates the middleware and routes for Express 4 and 5. Set `trustedProxies` behind a proxy.
 *
 * @throws TypeError if `trustedProxies` is neither a whole number nor a list of addresses and ranges.
 */
export function whorlExpress({ trustedProxies, ...options }: ExpressOptions): ExpressProtection {
  const protection = new Protection(options);
  const addressOf = createAddressReader(trustedProxies);
  const visitorOf = async (request: Request, route?: RouteName): Promise<VisitorRequest> => {
    const ip = addressOf(request);
    const body = route === 'nonce' ? undefined : await bodyOf(request);
    return { headers: request.headers, body, ip };
  };
  const decide: ExpressProtection['decide'] = async (request, response, attempt) => {
    const decision = await protection.protect(await visitorOf(request), attempt);
    response.locals.whorl = decision;
    if (decision.reply) sendReply(response, decision.reply);
    return decision;
  };
  return {
    decide,
    protect: ({ user: findUser, ...attempt }) =>
      handle(async (request, response, next) => {
        const user = await findUser(request, response);
        if (!user) sendReply(response, notLoggedIn);
        else if ((await decide(request, response, { ...attempt, ...user })).continues) next();
      }),
    reportFailure: async (request, response, attempt) => {
      const decision = await protection.reportFailure(await visitorOf(request), attempt);
      if (decision.reply) sendReply(response, decision.reply);
      return decision;
    },
    routes: ({ user: findUser } = {}) =>
      handle(async (request, response, next) => {
        const route = request.method === 'POST' ? routeOf(request.path) : undefined;
        if (!route) return next();
        const find = findUser && (() => findUser(request, response));
        sendReply(response, await protection.respond(route, await visitorOf(request, route), find));
      }),
    webhook: (webhook) =>
      handle(async (request, response) => {
        // A body of another type is refused with an explanation.
        const body = (await rawBodyOf(request)) as WebhookBody | undefined;
        sendReply(response, await protection.receive(body, request.headers, webhook));
      }),
  };
}

/** Passes rejections on, which Express 4 does not do by itself. */
export function handle(
  act: (request: Request, response: Response, next: NextFunction) => Promise<void>,
): RequestHandler {
  return (request, response, next) => {
    act(request, response, next).catch(next);
  };
}
