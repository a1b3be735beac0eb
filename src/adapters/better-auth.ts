import type { BetterAuthPlugin, GenericEndpointContext, Session, User } from 'better-auth';
import { APIError, createAuthEndpoint, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import type { RequestHeaders } from '../server/index.js';
import { endSessionsOf, type StoredSession } from './better-auth-devices.js';
import { failureOf } from './better-auth-failures.js';
import { errorFor, SessionHooks } from './better-auth-sessions.js';
import type { Attempt, LoggedIn, ProtectionOptions, WebhookOptions } from './options.js';
import { Protection } from './protection.js';
import { routeOf } from './routes.js';
import { deviceField, signInVisitor } from './sign-in.js';
import type { VisitorRequest } from './visitor-request.js';
import { handleWebhook, responseOf, visitorOf } from './web.js';

export { forwardedFor } from '../server/index.js';
export type { Attempt, Decision, LoggedIn, ProtectionOptions, WebhookOptions } from './options.js';
export type { Begun, ChallengeWith, FactorRequest, OwnFactor } from './own-factor.js';

/** Options of the plugin. */
export interface WhorlPluginOptions extends ProtectionOptions {
  /** Returns the visitor's address, such as `forwardedFor(1)` behind one proxy. better-auth does not know the connection. */
  readonly clientAddress: (request: { readonly headers: RequestHeaders }) => string | undefined;
  /**
   * Returns what is evaluated before a session exists, or null for a session that needs no check. `standard` is `signup`
   * or `login` of this user, and null for a new password and an impersonation, whose user is signed in already.
   */
  readonly attempt?: (
    standard: Attempt | null,
    user: User,
    context: GenericEndpointContext,
  ) => Attempt | null | Promise<Attempt | null>;
  /** Returns the ID of the user in `attempt`, for the routes about the user's devices. Default: `user.id`. */
  readonly deviceUser?: (user: User) => LoggedIn;
  /** Whether to detach the device at the sign-out, so that the next sign-in needs a code. Default: false. */
  readonly detachOnSignOut?: boolean;
  /**
   * Enables `POST /whorl/webhook`, which ends the sessions of a device that was detached, and all sessions of a user who
   * said "This was not me".
   */
  readonly webhook?: Pick<WebhookOptions, 'secrets'> & Partial<WebhookOptions>;
}

/** The request is read by the adapter: a webhook's signature covers its bytes. */
const endpointOptions = { method: 'POST', disableBody: true, requireRequest: true } as const;

/**
 * Creates the plugin for better-auth: it evaluates each sign-in and sign-up before the session exists, reports wrong
 * passwords and codes, and adds the routes `/whorl/nonce`, `open`, `send`, `begin` and `verify`, and `devices`, `rename`,
 * `detach` and `disown` for the session's user. The table of sessions gets the column `whorlDeviceId`. Without this table,
 * devices are in the secondary storage, under keys that begin with `whorl-`.
 *
 * @throws TypeError if `clientAddress` is missing, as from JavaScript.
 */
export function whorlBetterAuth(options: WhorlPluginOptions) {
  const { attempt: attemptOf = (standard) => standard, webhook, detachOnSignOut, clientAddress, ...others } = options;
  const { deviceUser = ({ id }: User) => id, ...rest } = others;
  if (typeof clientAddress !== 'function') throw new TypeError('whorlBetterAuth needs the option clientAddress.');
  const protection = new Protection(rest);
  /** Bodies with the fields of `collect`, which better-auth removes, by the headers of their requests. */
  const bodies = new WeakMap<object, unknown>();
  const visitor = (headers: Headers | undefined) =>
    signInVisitor(headers, headers && bodies.get(headers), headers && clientAddress({ headers }));
  const sessions = new SessionHooks({ protection, visitor, attemptOf, detachOnSignOut });
  const keepBody = createAuthMiddleware(async ({ headers, body }) => void (headers && bodies.set(headers, body)));

  return {
    id: 'whorl',
    schema: {
      session: { fields: { [deviceField]: { type: 'string', required: false, input: false, returned: false } } },
    },
    init: () => ({ options: { databaseHooks: databaseHooksOf(sessions) } }),
    hooks: {
      before: [
        { matcher: ({ body }) => typeof body?.fingerprint === 'string', handler: keepBody },
        { matcher: sessions.isSignOut, handler: createAuthMiddleware((context) => sessions.beforeSignOut(context)) },
      ],
      after: [
        { matcher: () => true, handler: failureReporter(protection, visitor) },
        { matcher: sessions.isSignOut, handler: createAuthMiddleware((context) => sessions.afterSignOut(context)) },
      ],
    },
    endpoints: {
      whorlPage: pageEndpoint(protection, clientAddress, deviceUser),
      whorlWebhook: webhookEndpoint(protection, webhook, others.deviceUser === undefined),
    },
  } satisfies BetterAuthPlugin;
}

function databaseHooksOf(sessions: SessionHooks) {
  type Context = GenericEndpointContext | null;
  return {
    user: {
      create: { before: (user: User, context: Context) => sessions.createUser(user, context) },
    },
    session: {
      create: {
        before: (session: Session, context: Context) => sessions.start(session, context),
        after: (session: StoredSession, context: Context) => sessions.remember(session, context),
      },
      update: { after: (session: StoredSession | null, context: Context) => sessions.remember(session, context) },
      delete: {
        before: (session: StoredSession, context: Context) => sessions.keepDevice(session, context),
        after: (session: StoredSession, context: Context) => sessions.end(session, context),
      },
    },
  };
}

function failureReporter(protection: Protection, visitor: (headers: Headers | undefined) => VisitorRequest) {
  return createAuthMiddleware(async (context) => {
    const attempt = await failureOf(context);
    if (!attempt) return;
    const { reply } = await protection.reportFailure(visitor(context.headers), attempt);
    // Other routes are for users who are signed in already: they are not refused after the right password either.
    if (!reply || !context.path.startsWith('/sign-in/')) return;
    const error = errorFor(reply);
    if (!context.request) throw error;
    // The response of better-auth to a right password. For an error, it would keep the status of a wrong one.
    return new Response(JSON.stringify(error.body), {
      status: error.statusCode,
      statusText: String(error.status),
      headers: { ...reply.headers, 'content-type': 'application/json' },
    });
  });
}

function pageEndpoint(
  protection: Protection,
  clientAddress: WhorlPluginOptions['clientAddress'],
  deviceUser: NonNullable<WhorlPluginOptions['deviceUser']>,
) {
  return createAuthEndpoint('/whorl/:route', endpointOptions, async (context) => {
    const { request } = context;
    const route = request && routeOf(new URL(request.url).pathname);
    if (!route) throw notFound();
    const { body } = await visitorOf(request, undefined, route);
    const ip = clientAddress({ headers: request.headers });
    const findUser = async () => {
      const session = await getSessionFromCtx(context);
      return session && deviceUser(session.user);
    };
    return responseOf(await protection.respond(route, signInVisitor(request.headers, body, ip), findUser));
  });
}

/** @param isByUser Whether the service knows users by the IDs that better-auth gives them. */
function webhookEndpoint(protection: Protection, webhook: WhorlPluginOptions['webhook'], isByUser: boolean) {
  return createAuthEndpoint('/whorl/webhook', endpointOptions, async ({ request, context }) => {
    if (!request || !webhook) throw notFound();
    return handleWebhook(protection, {
      ...webhook,
      onEvent: async (event) => {
        if (event.type === 'device.detached') await endSessionsOf(context, event.data.device._id);
        if (event.type === 'device.disowned') {
          const { device, user } = event.data;
          if (device) await endSessionsOf(context, device._id);
          if (isByUser) await context.internalAdapter.deleteUserSessions(user.external_id);
          else
            for await (const { _id } of protection.whorl.users.devices(user.external_id))
              await endSessionsOf(context, _id);
        }
        await webhook.onEvent?.(event);
      },
    })(request);
  });
}

function notFound(): APIError {
  const message =
    'This route does not exist. There are nonce, open, send, begin, verify, devices, rename, detach and disown, and webhook with the option.';
  return new APIError('NOT_FOUND', { code: 'not_found', message });
}
