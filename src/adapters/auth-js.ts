import type { AuthConfig } from '@auth/core';
import type { RequestHeaders } from '../server/index.js';
import { reportFailures } from './auth-js-providers.js';
import { type CookieTarget, setCookie } from './binding.js';
import type { Attempt, Decision, ProtectionOptions, RoutesOptionsFor } from './options.js';
import { Protection } from './protection.js';
import { detachDevice, deviceField, deviceOf, signInVisitor } from './sign-in.js';
import type { VisitorRequest } from './visitor-request.js';
import { handlePage } from './web.js';

export { forwardedFor } from '../server/index.js';
export type { CookieOptions, CookieTarget } from './binding.js';
export type { Attempt, Decision, LoggedIn, ProtectionOptions, RoutesOptionsFor } from './options.js';
export type { Begun, ChallengeWith, FactorRequest, OwnFactor } from './own-factor.js';

type Callbacks = NonNullable<AuthConfig['callbacks']>;
type Events = NonNullable<AuthConfig['events']>;
type SignIn = Parameters<NonNullable<Callbacks['signIn']>>[0];
type Checks = Pick<AuthConfig, 'callbacks' | 'events'> & { readonly providers?: AuthConfig['providers'] };
type Credentials = Readonly<Record<string, unknown>>;
type SignInRequest = { readonly headers: RequestHeaders };

/** Options for Auth.js. */
export interface AuthJsOptions extends ProtectionOptions {
  /** Path of the page that asks for codes. A refused sign-in is redirected there. */
  readonly page: string;
  /** Returns the visitor's address, such as `forwardedFor(1)` behind one proxy. */
  readonly clientAddress: (request: SignInRequest) => string | undefined;
  /**
   * Returns what is evaluated: `({ user }) => ({ action: 'login', user: user.email, email: user.email })`. Before the
   * first sign-in with another provider, Auth.js has no lasting `user.id`.
   */
  readonly attempt: (signIn: SignIn) => Attempt | Promise<Attempt>;
  /**
   * Returns what is reported if `authorize` of a credentials provider rejects what was entered, or null for no report.
   * Default: a login of the user whom the field `email` or `username` names. Set it if `attempt` names users by another
   * ID, so that the failures of one account are counted together.
   */
  readonly failedAttempt?: (credentials: Credentials) => Attempt | null | Promise<Attempt | null>;
  /**
   * Called after the check and before the session starts: create the account of a sign-up here. If it throws, there is no
   * session, unlike with Auth.js's event `signIn`.
   */
  readonly beforeSession?: (signIn: SignIn) => unknown;
  /**
   * Whether to detach the device at the sign-out, so that the next sign-in needs a code. For shared computers, and
   * sessions of the strategy `jwt`. Default: false.
   */
  readonly detachOnSignOut?: boolean;
}

/** Options of the routes that the page calls. */
export type RoutesOptions = RoutesOptionsFor<[request: Request]>;

/** What Auth.js needs. */
export interface AuthJsProtection {
  /**
   * Returns the configuration with the check in it. It also reports what `authorize` of any credentials provider rejects,
   * by null or a `CredentialsSignin`. `cookies` sets the cookie that binds a challenge to the browser: Express's
   * `response`, Next's `await cookies()`, or `Headers` that you add to the response of Auth.js.
   */
  protect<Config extends object>(request: SignInRequest, config: Config & Checks, cookies: CookieTarget): Config;
  /**
   * The routes that the page calls, for Next: `export const { POST } = whorl.routes()`. For the user's devices, pass `{ user:
   * async () => (await auth())?.user?.email }`, the same ID as `attempt` names.
   */
  routes(options?: RoutesOptions): { readonly POST: (request: Request) => Promise<Response> };
}

/**
 * Creates the check for Auth.js (`@auth/core` and what is built on it, such as `next-auth` 5 and `@auth/express`).
 *
 * @throws TypeError if `page` is not a path, for example because JavaScript code leaves the option out.
 */
export function whorlAuthJs(options: AuthJsOptions): AuthJsProtection {
  const { clientAddress, attempt: attemptOf, beforeSession, detachOnSignOut = false, ...others } = options;
  const { failedAttempt = attemptOfEntered, ...rest } = others;
  if (!rest.page) throw new TypeError('whorlAuthJs needs the option page, the path of the page that asks for codes.');
  const protection = new Protection(rest);
  const visitorOf = (request: SignInRequest, body: unknown): VisitorRequest => {
    const visitor = signInVisitor(request.headers, body, clientAddress(request));
    // Auth.js answers with redirects only.
    return { ...visitor, headers: { ...visitor.headers, accept: 'text/html' } };
  };

  return {
    protect(request, config, cookies) {
      const { callbacks = {} } = config;
      let device: string | undefined;
      let refused: Decision | undefined;
      const reportFailure = async (credentials: Credentials) => {
        const attempt = await failedAttempt(credentials);
        const decision = attempt && (await protection.reportFailure(visitorOf(request, credentials), attempt));
        refused = decision?.continues === false ? decision : undefined;
        return refused !== undefined;
      };
      const providers = config.providers?.map((provider) => reportFailures(provider, reportFailure));
      const signIn: Callbacks['signIn'] = async (params) => {
        // As after a right password, which would have been refused too.
        if (refused) return refused.reply?.headers?.location ?? false;
        const own = (await callbacks.signIn?.(params)) ?? true;
        // To send a link is not to sign in.
        if (own !== true || params.email?.verificationRequest) return own;
        const visitor = visitorOf(request, params.credentials);
        const { reply, evaluation } = await protection.protect(visitor, await attemptOf(params));
        device = deviceOf(evaluation);
        setCookie(cookies, reply);
        // Auth.js lets everybody in who is not refused by false or redirected.
        if (reply) return reply.headers?.location ?? false;
        await beforeSession?.(params);
        return true;
      };
      const checked = { ...config, ...(providers && { providers }), callbacks: { ...callbacks, signIn } };
      if (!detachOnSignOut) return checked;
      const { jwt, signOut } = detachAtSignOut(config, protection, () => device);
      return { ...checked, callbacks: { ...checked.callbacks, jwt }, events: { ...config.events, signOut } };
    },
    routes: (options) => ({ POST: handlePage(protection, clientAddress, options) }),
  };
}

/** Returns the callback that keeps the device in the session's token, and the event that detaches it. */
function detachAtSignOut(
  { callbacks = {}, events = {} }: Checks,
  protection: Protection,
  currentDevice: () => string | undefined,
): { readonly jwt: NonNullable<Callbacks['jwt']>; readonly signOut: NonNullable<Events['signOut']> } {
  return {
    async jwt(params) {
      const token = callbacks.jwt ? await callbacks.jwt(params) : params.token;
      const device = currentDevice();
      return token && device ? { ...token, [deviceField]: device } : token;
    },
    async signOut(message) {
      await events.signOut?.(message);
      if ('token' in message) await detachDevice(protection.whorl, message.token?.[deviceField]);
    },
  };
}

function attemptOfEntered({ email, username }: Credentials): Attempt {
  return { action: 'login', user: String(email || username || '') };
}
