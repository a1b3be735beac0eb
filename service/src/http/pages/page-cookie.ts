import type { Context } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';

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
