import { readHeader } from '../server/headers.js';
import type { RequestHeaders } from '../server/index.js';

/** A request, as an adapter passes it on. */
export interface VisitorRequest {
  readonly headers: RequestHeaders;
  /** The parsed body. */
  readonly body: unknown;
  /** The visitor's address, if it is known. */
  readonly ip: string | undefined;
}

/** The fields of a request that the adapter reads from the request itself. */
export type OfTheRequest = 'fingerprint' | 'last_fingerprint' | 'version' | 'proof' | 'ip' | 'user_agent' | 'outcome';

/** How much of a body is read, in bytes. The fields of `collect` need a hundredth of that, and Fastify reads as much. */
export const maxBytes = 1024 * 1024;

/** Matches the types of JSON, such as `application/json; charset=utf-8` and `application/problem+json`. */
export const jsonType = /^application\/(?:.+\+)?json\b/i;

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
export function isForeign({ headers }: VisitorRequest, origins: readonly string[] = []): boolean {
  const origin = readHeader(headers, 'origin');
  if (origin === undefined || origins.includes(origin)) return false;
  const site = readHeader(headers, 'sec-fetch-site');
  return site === undefined ? hostOf(origin) !== readHeader(headers, 'host') : site !== 'same-origin';
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
