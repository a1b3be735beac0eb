import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { html } from 'hono/html';

/** What a page may load, and where its forms may lead; each is `'none'` where nothing is said. */
export interface PageSources {
  readonly styles?: string;
  readonly scripts?: string;
  readonly images?: string;
  readonly forms?: string;
}

export interface PageHeaderOptions {
  /** Default: as `observe` has it, nothing of the page is kept. */
  readonly cache?: string;
  /** Whether a page that opened this one as a window keeps hold of it. Default: false. */
  readonly keepsOpener?: boolean;
}

/**
 * The headers of every page for people besides those of all answers (see `observe`): what it may load, that it is in
 * nobody's frame, and that it asks for nothing of the device.
 */
export function pageHeaders(
  sources: PageSources,
  { cache, keepsOpener = false }: PageHeaderOptions = {},
): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyOf(sources),
    // For browsers that do not know `frame-ancestors`.
    'X-Frame-Options': 'DENY',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(!keepsOpener && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
    ...(cache !== undefined && { 'Cache-Control': cache }),
  };
}

/** By which a policy knows what stands in the page itself. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function policyOf({ styles, scripts, images, forms = "'none'" }: PageSources): string {
  return [
    "default-src 'none'",
    ...(styles ? [`style-src ${styles}`] : []),
    ...(scripts ? [`script-src ${scripts}`] : []),
    ...(images ? [`img-src ${images}`] : []),
    // These three do not fall back to the default.
    `form-action ${forms}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What a browser keeps for pages of the service. */
export interface PageCookie {
  readonly name: string;
  readonly value: string;
  /** Where the browser sends it. Over https it is sent to the whole origin: the prefix `__Host-` allows nothing else. */
  readonly path: string;
  readonly sameSite: 'Strict' | 'Lax';
  /** 0: the browser deletes it. */
  readonly seconds: number;
}

interface PublicUrl {
  readonly publicUrl: string;
}

/**
 * Returns the line that sets a cookie (RFC 6265), out of the reach of scripts. Over https its name begins with `__Host-`:
 * browsers take such a cookie from this origin over https alone, so that neither a subdomain nor plain http can plant one.
 */
export function pageCookie(service: PublicUrl, { name, value, path, sameSite, seconds }: PageCookie): string {
  const common = { httpOnly: true, sameSite, maxAge: seconds };
  return isSecure(service)
    ? generateCookie(name, value, { ...common, prefix: 'host', path: '/', secure: true })
    : generateCookie(name, value, { ...common, path });
}

/** Returns the value of a cookie that `pageCookie` set, as the browser sends it: anyone can have written it. */
export function readPageCookie(service: PublicUrl, c: Context, name: string): string | undefined {
  return isSecure(service) ? getCookie(c, name, 'host') : getCookie(c, name);
}

/** Returns the name under which a browser keeps a cookie. */
export function pageCookieName(service: PublicUrl, name: string): string {
  return isSecure(service) ? `__Host-${name}` : name;
}

function isSecure({ publicUrl }: PublicUrl): boolean {
  return publicUrl.startsWith('https:');
}

/** Leads on, so that a reload repeats nothing (303, RFC 9110). `cookies`: lines that set them. */
export function redirect(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: location });
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 303, headers });
}

/** Text with `names` in backticks, as code. */
export function withCode(text: string): (string | ReturnType<typeof html>)[] {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

/** What stands before all paths, where the service is not at the root of its address; without a slash at its end. */
export function basePathOf({ publicUrl }: { readonly publicUrl: string }): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}
