import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
import { notLoggedIn, type Reply } from './replies.js';
import { routeNames } from './routes.js';
import { formOf, formType, type VisitorRequest } from './visitor-request.js';

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

/** Options for Fastify. */
export interface FastifyOptions extends ProtectionOptions, TrustedProxies {}

/** What `protect` evaluates. */
export type ProtectOptions = ProtectOptionsFor<[request: FastifyRequest]>;

/** Options of the routes that the page calls. */
export type RoutesOptions = RoutesOptionsFor<[request: FastifyRequest]>;

/** The hooks and plugins of Fastify. */
export interface FastifyProtection {
  /** Returns a `preHandler` hook that evaluates an action, and continues or answers. */
  protect(options: ProtectOptions): (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Returns what `protect` decided about a request. */
  decisionOf(request: FastifyRequest): Decision | undefined;
  /** Evaluates an action in a handler. If the decision is not to continue, the response has been sent. */
  decide(request: FastifyRequest, reply: FastifyReply, attempt: Attempt): Promise<Decision>;
  /**
   * Reports an attempt that the application's own checks rejected, such as a wrong password. If the decision is not to
   * continue, the response that a right password would have received too has been sent.
   */
  reportFailure(request: FastifyRequest, reply: FastifyReply, attempt: Attempt): Promise<Decision>;
  /** Plugin with the routes that the page calls: `app.register(whorl.routes, { prefix: '/whorl' })`. */
  readonly routes: (app: FastifyInstance, options?: RoutesOptions) => Promise<void>;
  /** Returns a plugin with the route of a webhook: `app.register(whorl.webhook(…), { prefix: '/webhook' })`. */
  webhook(options: WebhookOptions): (app: FastifyInstance) => Promise<void>;
}

/**
 * Creates the hooks and plugins for Fastify 5. Set `trustedProxies` behind a proxy.
 *
 * @throws TypeError if `trustedProxies` is neither a whole number nor a list of addresses and ranges.
 */
export function whorlFastify({ trustedProxies, ...options }: FastifyOptions): FastifyProtection {
  const protection = new Protection(options);
  const addressOf = createAddressReader(trustedProxies);
  const visitorOf = ({ headers, body, raw }: FastifyRequest): VisitorRequest => ({ headers, body, ip: addressOf(raw) });
  const decisions = new WeakMap<FastifyRequest, Decision>();
  const decide: FastifyProtection['decide'] = async (request, reply, attempt) => {
    const decision = await protection.protect(visitorOf(request), attempt);
    decisions.set(request, decision);
    if (decision.reply) await sendReply(reply, decision.reply);
    return decision;
  };
  return {
    decide,
    decisionOf: (request) => decisions.get(request),
    protect:
      ({ user: findUser, ...attempt }) =>
      async (request, reply) => {
        const user = await findUser(request);
        if (user) await decide(request, reply, { ...attempt, ...user });
        else await sendReply(reply, notLoggedIn);
      },
    reportFailure: async (request, reply, attempt) => {
      const decision = await protection.reportFailure(visitorOf(request), attempt);
      if (decision.reply) await sendReply(reply, decision.reply);
      return decision;
    },
    routes: async (app, { user: findUser } = {}) => {
      // For pages without a script.
      if (!app.hasContentTypeParser(formType)) {
        app.addContentTypeParser<string>(formType, { parseAs: 'string' }, (_request, body, done) =>
          done(null, formOf(body)),
        );
      }
      for (const route of routeNames) {
        app.post(`/${route}`, async (request, reply) =>
          sendReply(reply, await protection.respond(route, visitorOf(request), findUser && (() => findUser(request)))),
        );
      }
    },
    webhook: (webhook) => async (app) => {
      // In this plugin only: the signature covers the bytes, so the body must not be parsed.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      app.post<{ Body: Buffer }>('/', async ({ body, headers }, reply) =>
        sendReply(reply, await protection.receive(body, headers, webhook)),
      );
    },
  };
}

function sendReply(reply: FastifyReply, { status, body, headers }: Reply): FastifyReply {
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', ...headers })
    .send(body);
}
