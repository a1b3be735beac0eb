import type { BetterAuthPlugin, GenericEndpointContext, Session, User } from 'better-auth';
import { APIError, createAuthEndpoint, createAuthMiddleware } from 'better-auth/api';
import type { RequestHeaders } from '../server/index.js';
import { failureOf } from './better-auth-failures.js';
import type { Attempt, ProtectionOptions, WebhookOptions } from './options.js';
import { Protection } from './protection.js';
import type { Reply } from './replies.js';
import { routeOf } from './routes.js';
import { detachDevice, deviceField, deviceOf, signInVisit } from './sign-in.js';
import { handleWebhook, responseOf, visitOf } from './web.js';

export { forwardedFor } from '../server/index.js';
export type { Attempt, Decision, ProtectionOptions, WebhookOptions } from './options.js';

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
  /** Whether to detach the device at the sign-out, so that the next sign-in needs a code. Default: false. */
  readonly detachOnSignOut?: boolean;
  /** Enables `POST /whorl/webhook`, which ends the sessions of a device that was detached. */
  readonly webhook?: Pick<WebhookOptions, 'secrets'> & Partial<WebhookOptions>;
}

/** Sessions that start for a user who is signed in. */
const continued = /^\/(?:change-password|admin\/impersonate-user)$/;
/** The request is read by the adapter: a webhook's signature covers its bytes. */
const endpointOptions = { method: 'POST', disableBody: true, requireRequest: true } as const;

/**
 * Creates the plugin for better-auth: it evaluates each sign-in and sign-up before the session exists, reports wrong
 * passwords and codes, and adds the routes `/whorl/nonce`, `open`, `send` and `verify`. The table of sessions gets the
 * column `whorlDeviceId`.
 *
 * @throws TypeError if `clientAddress` is missing, as from JavaScript.
 */
export function whorlBetterAuth(options: WhorlPluginOptions) {
  const { attempt: attemptOf = (standard) => standard, webhook, detachOnSignOut, clientAddress, ...rest } = options;
  if (typeof clientAddress !== 'function') throw new TypeError('whorlBetterAuth needs the option clientAddress.');
  const protection = new Protection(rest);
  /** Bodies with the fields of `collect`, which better-auth removes, by the headers of their requests. */
  const bodies = new WeakMap<object, unknown>();
  /** The headers of requests that created a user. */
  const signUps = new WeakSet<object>();
  /** Devices of sessions that a request ended and that go on in a new one, by the headers of the request. */
  const devices = new WeakMap<object, unknown>();
  /** IDs of refused sign-ups, by email address. After the code, the sign-up has to be one of the same user. */
  const refused = new Map<string, string>();

  const visit = (headers: Headers | undefined) =>
    signInVisit(headers, headers && bodies.get(headers), headers && clientAddress({ headers }));

  const startSession = async (session: Session, context: GenericEndpointContext | null) => {
    // Without a request, the application's own code starts the session.
    const user = context && (await context.context.internalAdapter.findUserById(session.userId));
    if (!user) return;
    const action = context.headers && signUps.has(context.headers) ? 'signup' : 'login';
    const standard = continued.test(context.path) ? null : { action, user: user.id, email: user.email };
    const { reply, device = standard ? null : await deviceIn(context) } = await check(standard, user, context);
    if (reply) throw errorFor(reply);
    return { data: { [deviceField]: device } };
  };

  const check = async (standard: Attempt | null, user: User, context: GenericEndpointContext) => {
    const attempt = await attemptOf(standard, user, context);
    if (!attempt) return {};
    const { reply, evaluation } = await protection.protect(visit(context.headers), attempt);
    if (!reply) refused.delete(user.email);
    else if (standard?.action === 'signup') refused.set(user.email, user.id);
    if (refused.size > 1_000) refused.clear();
    return { reply, device: deviceOf(evaluation) };
  };

  const createUser = async (user: User, context: GenericEndpointContext | null) => {
    if (context?.headers) signUps.add(context.headers);
    const known = refused.get(user.email);
    const { autoSignIn, requireEmailVerification } = context?.context.options.emailAndPassword ?? {};
    const hasSession = context?.path !== '/sign-up/email' || !(autoSignIn === false || requireEmailVerification);
    if (hasSession) return known === undefined ? undefined : { data: { id: known } };
    const { adapter, generateId } = context.context;
    const { customIdGenerator = generateId } = adapter.options?.adapterConfig ?? {};
    const id = known ?? customIdGenerator({ model: 'user' });
    // The database chooses the ID, so the user cannot be named before.
    if (!id) return;
    const { reply } = await check({ action: 'signup', user: id, email: user.email }, { ...user, id }, context);
    // better-auth answers 200 to a 403, as if the account existed already.
    if (reply) throw errorFor({ ...reply, status: reply.status === 403 ? 422 : reply.status });
    return { data: { id } };
  };

  /** better-auth ends the session before it starts the new one, after which the device is not in the database. */
  const keepDevice = async (session: Session & Record<string, unknown>, context: GenericEndpointContext | null) => {
    const isCurrent = session.token === context?.context.session?.session.token;
    if (isCurrent && context?.headers) devices.set(context.headers, session[deviceField]);
  };

  /** Returns the device of the session that goes on in a new one. */
  const deviceIn = async ({ headers, context }: GenericEndpointContext): Promise<string | null> => {
    const token = context.session?.session.token;
    const where = [{ field: 'token', value: token ?? '' }];
    const stored = async () => context.adapter.findOne<Record<string, unknown>>({ model: 'session', where });
    // The field is not in what better-auth returns of a session.
    const device = (headers && devices.get(headers)) ?? (token && (await stored())?.[deviceField]);
    return typeof device === 'string' ? device : null;
  };

  const endSession = async (session: Session & Record<string, unknown>, context: GenericEndpointContext | null) => {
    const isSignOut = /^\/(?:sign-out|revoke-)/.test(context?.path ?? '');
    if (detachOnSignOut && isSignOut) await detachDevice(protection.whorl, session[deviceField]);
  };

  const keepBody = createAuthMiddleware(async ({ headers, body }) => void (headers && bodies.set(headers, body)));

  const reportFailure = createAuthMiddleware(async (context) => {
    const attempt = await failureOf(context);
    if (!attempt) return;
    const { reply } = await protection.reportFailure(visit(context.headers), attempt);
    // Other routes are for users who are signed in already: they are not refused after the right password either.
    if (!reply || !context.path.startsWith('/sign-in/')) return;
    const error = errorFor(reply);
    if (!context.request) throw error;
    // As better-auth answers a right password. It would keep the status of the wrong one for an error.
    return new Response(JSON.stringify(error.body), {
      status: error.statusCode,
      statusText: String(error.status),
      headers: { ...reply.headers, 'content-type': 'application/json' },
    });
  });

  const answerPage = createAuthEndpoint('/whorl/:route', endpointOptions, async ({ request }) => {
    const route = request && routeOf(new URL(request.url).pathname);
    if (!route) throw notFound();
    const { body } = await visitOf(request, undefined);
    const ip = clientAddress({ headers: request.headers });
    return responseOf(await protection.answer(route, signInVisit(request.headers, body, ip)));
  });

  const receiveEvent = createAuthEndpoint('/whorl/webhook', endpointOptions, async ({ request, context }) => {
    if (!request || !webhook) throw notFound();
    return handleWebhook(protection, {
      ...webhook,
      onEvent: async (event) => {
        if (event.type === 'device.detached') {
          const where = [{ field: deviceField, value: event.data.device._id }];
          const sessions = await context.adapter.findMany<{ token: string }>({ model: 'session', where });
          await context.internalAdapter.deleteSessions(sessions.map(({ token }) => token));
        }
        await webhook.onEvent?.(event);
      },
    })(request);
  });

  return {
    id: 'whorl',
    schema: {
      session: { fields: { [deviceField]: { type: 'string', required: false, input: false, returned: false } } },
    },
    init: () => ({
      options: {
        databaseHooks: {
          user: { create: { before: createUser } },
          session: { create: { before: startSession }, delete: { before: keepDevice, after: endSession } },
        },
      },
    }),
    hooks: {
      before: [{ matcher: ({ body }) => typeof body?.fingerprint === 'string', handler: keepBody }],
      after: [{ matcher: () => true, handler: reportFailure }],
    },
    endpoints: { whorlPage: answerPage, whorlWebhook: receiveEvent },
  } satisfies BetterAuthPlugin;
}

function errorFor({ status, body, headers }: Reply): APIError {
  const message = body && 'detail' in body ? String(body.detail) : '';
  return new APIError('FORBIDDEN', { ...body, message }, headers, status);
}

function notFound(): APIError {
  const message = 'This route does not exist. There are nonce, open, send and verify, and webhook with the option.';
  return new APIError('NOT_FOUND', { code: 'not_found', message });
}
