import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { secureHeaders } from 'hono/secure-headers';
import type { DemoContext, Middleware } from '../demo.js';
import { Refusal } from './errors.js';

/**
 * Scripts cannot read these cookies, and other sites cannot send them with a POST. They last for the browser session.
 */
export const cookieOptions = { path: '/', httpOnly: true, sameSite: 'Lax' } as const;
const VISITOR_COOKIE = 'visitor';

/** Rejects unknown host names: another site's name that resolves to this server would be same-origin with it. */
export const requireKnownHost: Middleware = async (c, next) => {
  const { site } = c.var.demo;
  if (!site.isKnownHost(c.req.header('Host'))) return plainText(c, 421, `The demo is at ${site.url}.`);
  await next();
};

/** Sends the strict Content-Security-Policy that a careful site would send, unless a route has sent one of its own. */
export const securityHeaders = secureHeaders({
  overwrite: false,
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'", (c: DemoContext) => c.var.demo.site.serviceOf(c.req.header('Host'))],
    workerSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
  xFrameOptions: 'DENY',
  // The demo has no TLS. Without it, browsers ignore these headers and log a warning.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  strictTransportSecurity: false,
});

/**
 * Rejects a POST unless one of our own pages sends it. Browsers send `Origin` with every POST. `hono/csrf` checks only
 * content types that a form can send, and would not check JSON.
 *
 * @throws Refusal
 */
export const requireOwnOrigin: Middleware = async (c, next) => {
  if (c.req.header('Origin') !== c.var.demo.site.originOf(c.req.header('Host'))) {
    throw new Refusal(403, 'forbidden', 'This request must come from a page of the demo.');
  }
  await next();
};

/** Records the request and its response for the visitor's side panel. */
export const recordExchange: Middleware = async (c, next) => {
  const { method, path } = c.req;
  await c.var.demo.exchanges.recordRequest(visitorOf(c), { method, path }, async () => {
    await next();
    c.header('Cache-Control', 'no-store');
    const answer: unknown = await c.res.clone().json();
    return { status: c.res.status, answer };
  });
};

/** Returns the visitor whose side panel shows this request: a random id in a cookie, independent of logins. */
export function visitorOf(c: DemoContext): string {
  const known = getCookie(c, VISITOR_COOKIE);
  if (known && /^[\w-]{22}$/.test(known)) return known;
  const visitor = randomBytes(16).toString('base64url');
  setCookie(c, VISITOR_COOKIE, visitor, cookieOptions);
  return visitor;
}

export function plainText(c: Context, status: 421 | 503, sentence: string): Response {
  const policy = "default-src 'none'; frame-ancestors 'none'";
  return c.text(`${sentence}\n`, status, { 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' });
}
