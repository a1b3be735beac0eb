import { readHeader } from '../server/headers.js';
import type { RequestHeaders } from '../server/index.js';
import type { EvaluateRequest } from '../wire/index.js';

/** A request, as an adapter passes it on. */
export interface Visit {
  readonly headers: RequestHeaders;
  /** The parsed body. */
  readonly body: unknown;
  /** The visitor's address, if it is known. */
  readonly ip: string | undefined;
}

/** The fields of a request that the adapter reads from the request itself. */
export type OfTheRequest = 'fingerprint' | 'last_fingerprint' | 'version' | 'proof' | 'ip' | 'user_agent' | 'outcome';

/** Returns what the body, or else the cookie, says about the browser; undefined without a fingerprint. */
export function browserOf(request: Visit): Pick<EvaluateRequest, Exclude<OfTheRequest, 'outcome'>> | undefined {
  const visit = textOf(request, 'fingerprint') ? request : { ...request, body: fieldsInCookie(request.headers) };
  const fingerprint = textOf(visit, 'fingerprint');
  if (!fingerprint) return undefined;
  const fields = {
    last_fingerprint: textOf(visit, 'last_fingerprint'),
    version: textOf(visit, 'version'),
    proof: textOf(visit, 'proof'),
    ip: visit.ip || undefined,
    user_agent: readHeader(visit.headers, 'user-agent'),
  };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { fingerprint, ...Object.fromEntries(present) };
}

/** Returns a text of the body, which is JSON or form data. */
export function textOf({ body }: Visit, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = body instanceof FormData ? body.get(name) : Reflect.get(body, name);
  return typeof value === 'string' ? value : undefined;
}

/** The type of a form that a page without a script sends. */
export const formType = 'application/x-www-form-urlencoded';

/** Returns the fields of such a form. */
export function formOf(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/**
 * Returns whether a page of another site sent the request. Cookies of the challenge and of the application's login go
 * with it (https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html).
 */
export function isForeign({ headers }: Visit, origins: readonly string[] = []): boolean {
  const origin = readHeader(headers, 'origin');
  if (origin === undefined || origins.includes(origin)) return false;
  const site = readHeader(headers, 'sec-fetch-site');
  return site === undefined ? hostOf(origin) !== readHeader(headers, 'host') : site !== 'same-origin';
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/**
 * Returns a function that reads the visitor's address from `X-Forwarded-For`.
 *
 * @param proxies How many proxies of your own stand before the application. Each adds one address, so the visitor's is
 *   that many from the right; what stands to its left may be forged.
 */
export function forwardedFor(proxies: number): (request: { readonly headers: RequestHeaders }) => string | undefined {
  return ({ headers }) =>
    readHeader(headers, 'x-forwarded-for')
      ?.split(',')
      .map((address) => address.trim())
      .at(-proxies);
}

/**
 * Returns the fields of `collect` that the page saved in the cookie `whorl`. A sign-in with another provider ends with a
 * request that the page does not write.
 */
function fieldsInCookie(headers: RequestHeaders): unknown {
  try {
    return JSON.parse(decodeURIComponent(cookieOf(headers, 'whorl') ?? ''));
  } catch {
    return undefined;
  }
}

/** Returns the value of a cookie, as it was sent. */
export function cookieOf(headers: RequestHeaders, name: string): string | undefined {
  const cookies = readHeader(headers, 'cookie')?.split(/; */) ?? [];
  return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
}
