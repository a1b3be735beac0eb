import { once } from 'node:events';
import type { Server } from 'node:http';
import { Auth } from '@auth/core';
import Credentials from '@auth/core/providers/credentials';
import { serve } from '@hono/node-server';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { Strategy } from 'passport-local';
import { forwardedFor, whorlAuthJs } from 'whorl/auth-js';
import { whorlBetterAuth } from 'whorl/better-auth';
import { whorlPassport } from 'whorl/passport';
import { closeServer, type ShopOptions, shops, urlOf } from './shops.js';

/** What an attacker sees of a login. */
export interface Seen {
  readonly status: number;
  /** The code of the answer, in its body or in the query of its redirect. */
  readonly code: string | undefined;
}

/** Cookies of a browser, by name. */
export type Cookies = Map<string, string>;

/** A login, as a script sends it. */
export interface Login {
  /** Default: a browser without cookies. */
  readonly cookies?: Cookies;
  readonly password: 'right' | 'wrong';
  readonly fields?: object;
  readonly headers?: Record<string, string>;
}

/** An application with a login that an adapter protects. The user is `ann@example.com`, or `user` if it has an ID. */
export interface Target {
  readonly user: string;
  /** Where Whorl's routes are. */
  readonly routes: string;
  logIn(login: Login): Promise<Seen>;
  close(): Promise<unknown>;
}

const email = 'ann@example.com';
/** better-auth refuses shorter ones. */
const passwords = { right: 'the right password', wrong: 'the wrong password' };

/** Sends JSON as a browser with these cookies, and keeps those of the answer. */
export async function post(
  url: string,
  fields: object,
  headers: Record<string, string> = {},
  cookies: Cookies = new Map(),
): Promise<Response> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: JSON.stringify(fields),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'attack test',
      'x-forwarded-for': '198.51.100.7',
      cookie: [...cookies].map((cookie) => cookie.join('=')).join('; '),
      origin: new URL(url).origin,
      ...headers,
    },
  });
  keep(response, cookies);
  return response;
}

function keep(response: Response, cookies: Cookies): void {
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
}

/** Returns what an attacker sees of an answer in JSON. */
export async function seenIn(response: Response): Promise<Seen> {
  const body = JSON.parse((await response.text()) || '{}');
  return { status: response.status, code: body.code };
}

function withShop(name: string) {
  return async (options: ShopOptions): Promise<Target> => {
    const shop = await shops[name]?.(options);
    if (!shop) throw new Error(`There is no shop with ${name}.`);
    const logIn = async ({ password, fields, headers, cookies }: Login) =>
      seenIn(await post(`${shop.url}/login`, { email, password, ...fields }, headers, cookies));
    return { user: email, routes: `${shop.url}/whorl`, logIn, close: () => shop.close() };
  };
}

async function withBetterAuth(options: ShopOptions): Promise<Target> {
  let handler: (request: Request) => Promise<Response> = async () => new Response();
  const server = await listen((request) => handler(request));
  const url = urlOf(server);
  // The account exists without Whorl: nothing about its sign-up is known.
  const settings = {
    baseURL: url,
    secret: 'a secret of better-auth for tests',
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    emailAndPassword: { enabled: true, autoSignIn: false },
    // better-auth leaves the check out in tests.
    advanced: { disableOriginCheck: false },
  };
  const { user } = await betterAuth(settings).api.signUpEmail({
    body: { name: 'Ann', email, password: passwords.right },
  });
  const plugins = [whorlBetterAuth({ ...options, clientAddress: forwardedFor(1) })];
  handler = betterAuth({ ...settings, plugins }).handler;
  const logIn = async ({ password, fields, headers, cookies }: Login) => {
    const sent = { email, password: passwords[password], ...fields };
    return seenIn(await post(`${url}/api/auth/sign-in/email`, sent, headers, cookies));
  };
  return { user: user.id, routes: `${url}/api/auth/whorl`, logIn, close: () => closeServer(server) };
}

async function withAuthJs(options: ShopOptions): Promise<Target> {
  const whorl = whorlAuthJs({
    ...options,
    page: '/code',
    clientAddress: forwardedFor(1),
    attempt: ({ user }) => ({ action: 'login', user: user.email ?? '', email: user.email }),
  });
  const routes = whorl.routes({ user: ({ headers }) => headers.get('x-user') });
  const fields = { email: {}, password: {} };
  const authorize = ({ password }: Partial<Record<string, unknown>>) =>
    password === passwords.right ? { id: 'ann', email } : null;
  const config = {
    basePath: '/auth',
    secret: 'a secret of Auth.js for tests',
    trustHost: true,
    logger: { error: () => undefined },
    // Whichever of them is attacked.
    providers: [
      Credentials({ credentials: fields, authorize }),
      Credentials({ id: 'other', credentials: fields, authorize }),
    ],
  };
  const server = await listen(async (request) => {
    if (new URL(request.url).pathname.startsWith('/whorl')) return routes.POST(request);
    const cookies = new Headers();
    const response = await Auth(request, whorl.protect(request, config, cookies));
    for (const cookie of cookies.getSetCookie()) response.headers.append('set-cookie', cookie);
    return response;
  });
  const url = urlOf(server);
  const logIn = ({ password, fields, ...browser }: Login) =>
    logInWithAuthJs(url, 'other', { email, password: passwords[password], ...fields }, browser);
  return { user: email, routes: `${url}/whorl`, logIn, close: () => closeServer(server) };
}

/** Logs in with a provider of Auth.js, as its page does. */
export async function logInWithAuthJs(
  url: string,
  provider: string,
  fields: object,
  { headers, cookies = new Map() }: Omit<Login, 'password' | 'fields'>,
): Promise<Seen> {
  const response = await fetch(`${url}/auth/csrf`);
  keep(response, cookies);
  const { csrfToken } = await response.json();
  const asked = { 'x-auth-return-redirect': '1', ...headers };
  const answer = await post(`${url}/auth/callback/${provider}`, { csrfToken, ...fields }, asked, cookies);
  const { searchParams } = new URL((await answer.json()).url, url);
  return { status: answer.status, code: searchParams.get('error') ?? searchParams.get('code') ?? undefined };
}

async function withPassport(options: ShopOptions): Promise<Target> {
  const whorl = whorlPassport({ ...options, trustedProxies: 1 });
  const authenticator = new passport.Passport();
  const strategy = new Strategy({ usernameField: 'email' }, (name, password, done) =>
    done(null, password === passwords.right && name === email ? { id: name } : false),
  );
  authenticator.use(strategy);
  authenticator.serializeUser((_user, done) => done(null, email));
  const app = express();
  app.use(express.json(), session({ secret: 'a secret for tests', resave: false, saveUninitialized: false }));
  app.use('/whorl', whorl.routes({ user: (request) => request.get('x-user') }));
  app.post(
    '/login',
    authenticator.authenticate('local', { session: false, failWithError: true }),
    whorl.login({ attempt: () => ({ action: 'login', user: email, email }) }),
    (_request, response) => response.json({}),
  );
  app.use(whorl.reportFailedLogin(({ body }) => ({ action: 'login', user: body.email })));
  const answer: express.ErrorRequestHandler = (error, _request, response, _next) => {
    response.status(error.status ?? 500).json({ code: error.name });
  };
  app.use(answer);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const logIn = async ({ password, fields, headers, cookies }: Login) =>
    seenIn(await post(`${urlOf(server)}/login`, { email, password: passwords[password], ...fields }, headers, cookies));
  return { user: email, routes: `${urlOf(server)}/whorl`, logIn, close: () => closeServer(server) };
}

async function listen(fetch: (request: Request) => Response | Promise<Response>): Promise<Server> {
  const server = serve({ fetch, hostname: '127.0.0.1', port: 0 }) as Server;
  await once(server, 'listening');
  return server;
}

/** By the names of the adapters' entry points. */
export const targets: Record<string, (options: ShopOptions) => Promise<Target>> = {
  express: withShop('express'),
  fastify: withShop('fastify'),
  hono: withShop('hono'),
  next: withShop('next'),
  'better-auth': withBetterAuth,
  'auth-js': withAuthJs,
  passport: withPassport,
};
