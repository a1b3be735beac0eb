import type { BetterAuthPlugin, GenericEndpointContext, User } from 'better-auth';
import { APIError, createAuthEndpoint, createAuthMiddleware, getIP } from 'better-auth/api';
import type { WebhookEvent } from '../wire/index.js';
import { type Attempt, Protection, type ProtectionOptions, type Reply, routeOf, type Visit } from './protection.js';
import { detachDevice, deviceField, deviceOf, signInHeaders } from './sign-in.js';
import { responseOf, visitOf } from './web.js';

export type { Attempt, ProtectionOptions } from './protection.js';

/** Options of the plugin. */
export interface WhorlPluginOptions extends ProtectionOptions {
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
  readonly webhook?: {
    readonly secrets: string | readonly string[];
    readonly onEvent?: (event: WebhookEvent) => unknown;
  };
}

/** Sessions that start for a user who is signed in. */
const continued = /^\/(?:change-password|admin\/impersonate-user)$/;

/**
 * Creates the plugin for better-auth: it evaluates each sign-in and sign-up before the session exists, reports wrong
 * passwords, and adds the routes `/whorl/nonce`, `open`, `send` and `verify`. The visitor's address is the one that
 * better-auth determines: set `advanced.ipAddress` behind a proxy. The table of sessions gets the column
 * `whorlDeviceId`.
 */
export function whorlBetterAuth(options: WhorlPluginOptions) {
  const { attempt: attemptOf = (standard) => standard, webhook, detachOnSignOut, ...rest } = options;
  const protection = new Protection(rest);
  /** The requests that created a user. */
  const signUps = new WeakSet<object>();

  const startSession = async (
    session: { userId: string; ipAddress?: string | null | undefined },
    context: GenericEndpointContext | null,
  ) => {
    // Without a request, the application's own code starts the session.
    const user = context && (await context.context.internalAdapter.findUserById(session.userId));
    if (!user) return;
    const action = context.headers && signUps.has(context.headers) ? 'signup' : 'login';
    const standard = continued.test(context.path) ? null : { action, user: user.id, email: user.email };
    const attempt = await attemptOf(standard, user, context);
    if (!attempt) return;
    const { reply, evaluation } = await protection.protect(visitIn(context, session.ipAddress), attempt);
    if (reply) throw errorFor(reply);
    return { data: { [deviceField]: deviceOf(evaluation) ?? null } };
  };

  const reportFailure = createAuthMiddleware(async (context) => {
    const { returned, internalAdapter, options: authOptions } = context.context;
    const { email, username } = context.body ?? {};
    const name = email ?? username;
    if (!(returned instanceof APIError) || returned.statusCode !== 401 || typeof name !== 'string') return;
    const found = email && (await internalAdapter.findUserByEmail(email));
    const ip = context.headers && getIP(context.headers, authOptions);
    await protection.reportFailure(visitIn(context, ip), { action: 'login', user: found?.user.id ?? name });
  });

  const answerPage = createAuthEndpoint('/whorl/:route', endpointOptions, async ({ request }) => {
    const route = request && routeOf(new URL(request.url).pathname);
    if (!route) throw new APIError('NOT_FOUND');
    const visit = await visitOf(request, undefined);
    return responseOf(await protection.answer(route, { ...visit, headers: signInHeaders(request.headers) }));
  });

  const receiveEvent = createAuthEndpoint('/whorl/webhook', endpointOptions, async ({ request, context }) => {
    if (!request || !webhook) throw new APIError('NOT_FOUND');
    const { secrets, onEvent } = webhook;
    const reply = await protection.receive(await request.arrayBuffer(), request.headers, {
      secrets,
      onEvent: async (event) => {
        if (event.type === 'device.detached') {
          const where = [{ field: deviceField, value: event.data.device._id }];
          const sessions = await context.adapter.findMany<{ token: string }>({ model: 'session', where });
          await context.internalAdapter.deleteSessions(sessions.map(({ token }) => token));
        }
        await onEvent?.(event);
      },
    });
    return responseOf(reply);
  });

  return {
    id: 'whorl',
    schema: {
      session: { fields: { [deviceField]: { type: 'string', required: false, input: false, returned: false } } },
    },
    init: () => ({
      options: {
        databaseHooks: {
          user: {
            create: {
              before: async (_user, context) => {
                if (context?.headers) signUps.add(context.headers);
              },
            },
          },
          session: {
            create: { before: startSession },
            delete: {
              after: async (session, context) => {
                const isSignOut = /^\/(?:sign-out|revoke-)/.test(context?.path ?? '');
                if (detachOnSignOut && isSignOut) await detachDevice(options.whorl, session[deviceField]);
              },
            },
          },
        },
      },
    }),
    hooks: { after: [{ matcher: ({ path }) => path?.startsWith('/sign-in/') ?? false, handler: reportFailure }] },
    endpoints: { whorlPage: answerPage, whorlWebhook: receiveEvent },
  } satisfies BetterAuthPlugin;
}

/** The request is read by the adapter: a webhook's signature covers its bytes. */
const endpointOptions = { method: 'POST', disableBody: true, requireRequest: true } as const;

/** Reads what better-auth knows of a request. It has checked its origin. */
function visitIn(
  { headers, body }: Pick<GenericEndpointContext, 'headers' | 'body'>,
  ip: string | null | undefined,
): Visit {
  return { headers: signInHeaders(headers ?? {}), body, ip: ip || undefined };
}

function errorFor({ status, body, headers }: Reply): APIError {
  const names = { 303: 'SEE_OTHER', 400: 'BAD_REQUEST', 503: 'SERVICE_UNAVAILABLE' } as const;
  const { detail: message, ...fields }: Record<string, unknown> = { ...body };
  return new APIError(
    names[status as keyof typeof names] ?? 'FORBIDDEN',
    { ...fields, message: String(message ?? '') },
    headers,
  );
}
