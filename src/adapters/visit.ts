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

type OfTheBrowser = Exclude<OfTheRequest, 'outcome'>;

/** How many characters the service accepts. It refuses requests with more, and those that it cannot store. */
const maxLengths = { fingerprint: 4096, last_fingerprint: 4096, version: 64, proof: 8192, user_agent: 2048 } as const;

const maxNameLength = 256;

/** Control characters and lone surrogates. */
const unacceptable = /[\p{Cc}\p{Surrogate}]/gu;

/**
 * Returns what the body, or else the cookie, says about the browser. What the service would refuse is left out: a
 * visitor who could make the report of an attempt fail would not be counted.
 */
export function browserOf(request: Visit): Pick<EvaluateRequest, OfTheBrowser> {
  const visit = textOf(request, 'fingerprint') ? request : { ...request, body: fieldsInCookie(request.headers) };
  const read = (name: keyof typeof maxLengths) => {
    const value = name === 'user_agent' ? readHeader(visit.headers, 'user-agent') : textOf(visit, name);
    const isAccepted = value && value.length <= maxLengths[name] && value.search(unacceptable) === -1;
    return isAccepted ? { [name]: value } : {};
  };
  return {
    ...read('fingerprint'),
    ...read('last_fingerprint'),
    ...read('version'),
    ...read('proof'),
    ...read('user_agent'),
    ...(visit.ip && { ip: visit.ip }),
  };
}

/** Returns the name that a visitor entered, shortened and without the characters that the service refuses. */
export function enteredName(name: unknown): string {
  return String(name).slice(0, maxNameLength).replace(unacceptable, '') || 'unknown';
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
