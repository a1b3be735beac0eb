import type { GenericEndpointContext, Session, User } from 'better-auth';
import { APIError } from 'better-auth/api';
import { deviceOfSession, onlyStorageOf, rememberDevice, type StoredSession } from './better-auth-devices.js';
import { isBeforeSecondFactor, methodsOf, verifiedBy } from './better-auth-factors.js';
import { keepRefusedId, refusedId } from './better-auth-refused.js';
import type { Attempt } from './options.js';
import type { Protection } from './protection.js';
import type { Reply } from './replies.js';
import { detachDevice, deviceField, deviceOf } from './sign-in.js';
import type { VisitorRequest } from './visitor-request.js';

interface Checking {
  readonly protection: Protection;
  readonly visitor: (headers: Headers | undefined) => VisitorRequest;
  readonly attemptOf: (
    standard: Attempt | null,
    user: User,
    context: GenericEndpointContext,
  ) => Attempt | null | Promise<Attempt | null>;
  readonly detachOnSignOut: boolean | undefined;
}

/** Routes of users who end their sessions. */
const signOut = /^\/(?:sign-out|revoke-)/;

/** Sessions that start for a user who is signed in. */
const continued = /^\/(?:change-password|admin\/impersonate-user)$/;

/** Also if the user, who is signed in, switches the second factor on or off. */
function isContinued({ id }: User, { path, context }: GenericEndpointContext): boolean {
  return continued.test(path) || (path.startsWith('/two-factor/') && context.session?.user.id === id);
}

/** Hooks of better-auth for users and sessions. */
export class SessionHooks {
  private readonly checking: Checking;
  /** The headers of requests that created a user. */
  private readonly signUps = new WeakSet<object>();
  /** Devices of sessions that a request ended and that go on in a new one, by the headers of the request. */
  private readonly devices = new WeakMap<object, unknown>();
  /** The sessions of users before a request to sign out, by the headers of the request. */
  private readonly signOuts = new WeakMap<object, { readonly user: string; readonly tokens: readonly string[] }>();

  /** Whether devices are detached at a route. */
  readonly isSignOut = ({ path = '' }: { readonly path?: string }): boolean =>
    this.checking.detachOnSignOut === true && signOut.test(path);

  constructor(checking: Checking) {
    this.checking = checking;
  }

  async start(session: Session, context: GenericEndpointContext | null) {
    // Without a request, the application's own code starts the session.
    const user = context && (await context.context.internalAdapter.findUserById(session.userId));
    if (!user || isBeforeSecondFactor(user, context)) return;
    const action = context.headers && this.signUps.has(context.headers) ? 'signup' : 'login';
    const standard = isContinued(user, context) ? null : await this.attemptOf(action, user, context);
    const { reply, device = standard ? null : await this.deviceIn(context) } = await this.check(
      standard,
      user,
      context,
    );
    if (reply) throw errorFor(reply);
    return { data: { [deviceField]: device } };
  }

  /** Called for sessions that were started or renewed. */
  async remember(session: StoredSession | null, context: GenericEndpointContext | null) {
    if (session && context) await rememberDevice(context.context, session);
  }

  /** Returns what is evaluated, with the factors that the user has with better-auth's own plugins. */
  private async attemptOf(action: string, user: User, context: GenericEndpointContext): Promise<Attempt> {
    const methods = await methodsOf(user, context);
    const used = verifiedBy(context);
    return {
      action,
      user: user.id,
      email: user.email,
      ...(methods.length > 0 && { methods }),
      ...(used !== undefined && { verifiedBy: used }),
    };
  }

  async createUser(user: User, context: GenericEndpointContext | null) {
    if (context?.headers) this.signUps.add(context.headers);
    const known = context ? await refusedId(user, context) : undefined;
    const { autoSignIn, requireEmailVerification } = context?.context.options.emailAndPassword ?? {};
    const hasSession = context?.path !== '/sign-up/email' || !(autoSignIn === false || requireEmailVerification);
    if (hasSession) return known === undefined ? undefined : { data: { id: known } };
    const { adapter, generateId } = context.context;
    const { customIdGenerator = generateId } = adapter.options?.adapterConfig ?? {};
    const id = known ?? customIdGenerator({ model: 'user' });
    // The database chooses the ID, so the user cannot be named before.
    if (!id) return;
    const { reply } = await this.check({ action: 'signup', user: id, email: user.email }, { ...user, id }, context);
    // better-auth answers 200 to a 403, as if the account existed already.
    if (reply) throw errorFor({ ...reply, status: reply.status === 403 ? 422 : reply.status });
    return { data: { id } };
  }

  /** better-auth ends the session before it starts the new one, after which the device is not in the database. */
  async keepDevice(session: StoredSession, context: GenericEndpointContext | null) {
    const isCurrent = session.token === context?.context.session?.session.token;
    if (isCurrent && context?.headers) this.devices.set(context.headers, session[deviceField]);
  }

  async end(session: StoredSession, context: GenericEndpointContext | null) {
    if (context && this.isSignOut(context)) await this.detach(session[deviceField]);
  }

  /** Sessions that are in the secondary storage only are deleted without hooks, so they are compared. */
  async beforeSignOut({ headers, context, getSignedCookie }: GenericEndpointContext) {
    if (!headers || !onlyStorageOf(context)) return;
    const token = await getSignedCookie(context.authCookies.sessionToken.name, context.secret);
    const user = token && (await context.internalAdapter.findSession(token))?.user.id;
    if (user) this.signOuts.set(headers, { user, tokens: await tokensOf(user, context) });
  }

  async afterSignOut({ headers, context }: GenericEndpointContext) {
    const before = headers && this.signOuts.get(headers);
    if (!before) return;
    const left = await tokensOf(before.user, context);
    const ended = before.tokens.filter((token) => !left.includes(token));
    const devices = await Promise.all(ended.map((token) => deviceOfSession(context, token)));
    for (const device of new Set(devices)) await this.detach(device);
  }

  private async detach(device: unknown): Promise<void> {
    await detachDevice(this.checking.protection.whorl, device);
  }

  private async check(standard: Attempt | null, user: User, context: GenericEndpointContext) {
    const { protection, visitor, attemptOf } = this.checking;
    const attempt = await attemptOf(standard, user, context);
    if (!attempt) return {};
    const { reply, evaluation } = await protection.protect(visitor(context.headers), attempt);
    if (reply && standard?.action === 'signup') await keepRefusedId(user, context);
    return { reply, device: deviceOf(evaluation) };
  }

  /** Returns the device of the session that goes on in a new one. */
  private async deviceIn({ headers, context }: GenericEndpointContext): Promise<unknown> {
    if (headers && this.devices.has(headers)) return this.devices.get(headers) ?? null;
    const token = context.session?.session.token;
    return token === undefined ? null : deviceOfSession(context, token);
  }
}

async function tokensOf(user: string, { internalAdapter }: GenericEndpointContext['context']): Promise<string[]> {
  return (await internalAdapter.listSessions(user)).map(({ token }) => token);
}

/** Returns a reply as an error of better-auth. */
export function errorFor({ status, body, headers }: Reply): APIError {
  const message = body && 'detail' in body ? String(body.detail) : '';
  return new APIError('FORBIDDEN', { ...body, message }, headers, status);
}
