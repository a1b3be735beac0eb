// Only for the types that Passport adds to Express.

import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import type {} from 'passport';
import { type ExpressOptions, type ExpressProtection, handle, whorlExpress } from './express.js';
import { sendReply } from './node.js';
import type { Attempt } from './options.js';
import { Protection } from './protection.js';
import { notLoggedIn } from './replies.js';
import { detachDevice, deviceField, deviceOf } from './sign-in.js';

export type { RoutesOptions } from './express.js';
export type {
  Attempt,
  Decision,
  LoggedIn,
  ProtectionOptions,
  RoutesOptionsFor,
  User,
  WebhookOptions,
} from './options.js';
export type { Begun, ChallengeWith, FactorRequest, OwnFactor } from './own-factor.js';

/** Options of Passport's `request.login` and `request.logout`. */
interface SessionOptions {
  readonly keepSessionInfo?: boolean;
}

export interface LoginOptions extends SessionOptions {
  /** Returns what is evaluated: `{ action: 'login', user: user.id, email: user.email }`. */
  readonly attempt: (user: Express.User, request: Request) => Attempt | Promise<Attempt>;
  /**
   * Called after the check and before the session starts: create the account of a sign-up here. If it throws, there is
   * no session.
   */
  readonly beforeSession?: (user: Express.User, request: Request) => unknown;
}

export interface LogoutOptions extends SessionOptions {
  /** Whether to detach the device, so that the next sign-in needs a code. For shared computers. Default: false. */
  readonly detach?: boolean;
}

/** What Express's adapter has, and the sign-in with Passport. */
export interface PassportProtection extends ExpressProtection {
  /**
   * Middleware after `passport.authenticate(…, { session: false })`: evaluates the sign-in, and starts the session and
   * continues, or answers. It sets `response.locals.whorl`. A login that the session has already ends first.
   */
  login(options: LoginOptions): RequestHandler;
  /**
   * Error handler after `passport.authenticate(…, { failWithError: true })`: reports a wrong password, and answers if a
   * right one would have been refused too, or passes the error on. `findAttempt` returns what failed, or undefined if
   * it is not known who wanted to sign in.
   */
  reportFailedLogin(
    findAttempt: (request: Request) => Attempt | undefined | Promise<Attempt | undefined>,
  ): ErrorRequestHandler;
  /** Middleware that ends the session and continues. */
  logout(options?: LogoutOptions): RequestHandler;
}

/** Creates the middleware for Passport 0.6 and later with Express. Set `trustedProxies` behind a proxy. */
export function whorlPassport(options: ExpressOptions): PassportProtection {
  const protection = new Protection(options);
  const express = whorlExpress({ ...options, whorl: () => protection.whorl });
  return {
    ...express,
    login: ({ attempt, beforeSession, ...session }) =>
      handle(async (request, response, next) => {
        const { user } = request;
        if (!user) return sendReply(response, notLoggedIn);
        await endLogin(request);
        const { continues, evaluation } = await express.decide(request, response, await attempt(user, request));
        if (!continues) return;
        await beforeSession?.(user, request);
        request.login(user, { session: true, ...session }, (error) => {
          if (!error) keepDevice(request, deviceOf(evaluation));
          next(error);
        });
      }),
    reportFailedLogin: (findAttempt) => (error, request, response, next) =>
      handle(async () => {
        const attempt = error?.name === 'AuthenticationError' ? await findAttempt(request) : undefined;
        const decision = attempt && (await express.reportFailure(request, response, attempt));
        if (decision?.continues !== false) next(error);
      })(request, response, next),
    logout:
      ({ detach, ...session } = {}) =>
      (request, _response, next) => {
        const device = detach ? deviceIn(request) : undefined;
        request.logout(session, (error) => {
          if (error) next(error);
          else detachDevice(protection.whorl, device).then(() => next(), next);
        });
      },
  };
}

/**
 * Ends a login that the session has already, perhaps because `authenticate` was called without `session: false`: a
 * login that is refused must leave none.
 */
async function endLogin(request: Request): Promise<void> {
  const session = sessionOf(request);
  if (!session || !Reflect.get(Object(Reflect.get(session, 'passport')), 'user')) return;
  await new Promise<void>((resolve, reject) => {
    request.logout({ keepSessionInfo: true }, (error) => (error ? reject(error) : resolve()));
  });
}

/** Keeps the device in the session. A session of any kind will do: none is needed. */
function keepDevice(request: Request, device: string | undefined): void {
  const session = sessionOf(request);
  if (session && device) Reflect.set(session, deviceField, device);
}

function deviceIn(request: Request): unknown {
  const session = sessionOf(request);
  return session && Reflect.get(session, deviceField);
}

function sessionOf(request: Request): object | undefined {
  const session: unknown = Reflect.get(request, 'session');
  return typeof session === 'object' && session !== null ? session : undefined;
}
