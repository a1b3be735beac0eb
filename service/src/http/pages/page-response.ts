import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { html } from 'hono/html';

/** Sources that a page may load, and targets of its forms. Default for each: `'none'`. */
export interface PageSources {
  readonly styles?: string;
  readonly scripts?: string;
  readonly images?: string;
  /** What scripts may request. */
  readonly connections?: string;
  readonly forms?: string;
}

export interface PageHeaderOptions {
  /** `Cache-Control`. Default: `no-store`, set by `observe`. */
  readonly cache?: string;
  /** Whether the window that opened this page keeps its reference to it. Default: false. */
  readonly keepsOpener?: boolean;
}

/**
 * Returns the headers that an HTML page has in addition to all responses' (see `observe`): the content security policy,
 * no framing, and no access to device features.
 */
export function pageHeaders(
  sources: PageSources,
  { cache, keepsOpener = false }: PageHeaderOptions = {},
): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyOf(sources),
    // For browsers that do not support `frame-ancestors`.
    'X-Frame-Options': 'DENY',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(!keepsOpener && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
    ...(cache !== undefined && { 'Cache-Control': cache }),
  };
}

/** Returns the policy source that allows an inline script or style by its hash. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function policyOf({ styles, scripts, images, connections, forms = "'none'" }: PageSources): string {
  return [
    "default-src 'none'",
    ...(styles ? [`style-src ${styles}`] : []),
    ...(scripts ? [`script-src ${scripts}`] : []),
    ...(images ? [`img-src ${images}`] : []),
    ...(connections ? [`connect-src ${connections}`] : []),
    // These three do not fall back to `default-src`.
    `form-action ${forms}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Cookie of the service's pages. */
export interface PageCookie {
  readonly name: string;
  readonly value: string;
  /** Path it is sent to. Over https it is always `/`, because the prefix `__Host-` requires it. */
  readonly path: string;
  readonly sameSite: 'Strict' | 'Lax';
  /** Lifetime, in seconds. 0 deletes the cookie. */
  readonly seconds: number;
}

interface PublicUrl {
  readonly publicUrl: string;
}

/**
 * Returns a `Set-Cookie` value (RFC 6265) with `HttpOnly`. Over https its name begins with `__Host-`: browsers accept such
 * a cookie only from this origin over https, so neither a subdomain nor plain http can set it.
 */
export function pageCookie(service: PublicUrl, { name, value, path, sameSite, seconds }: PageCookie): string {
  const common = { httpOnly: true, sameSite, maxAge: seconds };
  return isSecure(service)
    ? generateCookie(name, value, { ...common, prefix: 'host', path: '/', secure: true })
    : generateCookie(name, value, { ...common, path });
}

/** Returns the value of a cookie that `pageCookie` set. The client may have changed it. */
export function readPageCookie(service: PublicUrl, c: Context, name: string): string | undefined {
  return isSecure(service) ? getCookie(c, name, 'host') : getCookie(c, name);
}

/** Returns the full name of a cookie in the browser. */
export function pageCookieName(service: PublicUrl, name: string): string {
  return isSecure(service) ? `__Host-${name}` : name;
}

function isSecure({ publicUrl }: PublicUrl): boolean {
  return publicUrl.startsWith('https:');
}

/** Redirects with 303 (RFC 9110), so that a reload does not repeat the request. `cookies`: values of `Set-Cookie`. */
export function redirect(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: location });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/** Renders text with `names` in backticks as code. */
export function withCode(text: string): (string | ReturnType<typeof html>)[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

/** Returns the path prefix of the public URL, without a trailing slash; empty if the service is at the root. */
export function basePathOf({ publicUrl }: { readonly publicUrl: string }): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}
