import type { EvaluateRequest } from '../wire/index.js';
import { cookieOf, type RequestHeaders, readHeader } from './headers.js';

/** How many characters the service accepts. It refuses requests with more, and those that it cannot store. */
const maxLengths = { fingerprint: 4096, last_fingerprint: 4096, version: 64, proof: 8192, user_agent: 2048 } as const;

const maxNameLength = 256;

/** Control characters and lone surrogates. */
const unacceptable = /[\p{Cc}\p{Surrogate}]/gu;

/**
 * Returns what a request says about the browser, for `evaluate` and `reportFailure`: `fingerprint`, `last_fingerprint`,
 * `version` and `proof` of the parsed body (an object or `FormData`) or, if the body has no fingerprint, of the cookie
 * `whorl`, and `user_agent` if `headers` are given. The address is not among them: add `ip`.
 *
 * What the service would refuse is left out: what is not a string, is empty, contains control characters, or is longer
 * than 4,096 characters (`fingerprint`, `last_fingerprint`), 64 (`version`), 8,192 (`proof`) or 2,048 (`user_agent`).
 * So every attempt is judged and counted, and one without a fingerprint as `unreadable_fingerprint`. Reads own
 * properties only. Never throws, whatever the body is.
 */
export function browserOf(
  body: unknown,
  headers: RequestHeaders = {},
): Pick<EvaluateRequest, 'fingerprint' | 'last_fingerprint' | 'version' | 'proof' | 'user_agent'> {
  const fields = textOf(body, 'fingerprint') ? body : fieldsInCookie(headers);
  const read = (name: keyof typeof maxLengths) => {
    const value = name === 'user_agent' ? readHeader(headers, 'user-agent') : textOf(fields, name);
    const isAccepted = value && value.length <= maxLengths[name] && value.search(unacceptable) === -1;
    return isAccepted ? { [name]: value } : {};
  };
  return {
    ...read('fingerprint'),
    ...read('last_fingerprint'),
    ...read('version'),
    ...read('proof'),
    ...read('user_agent'),
  };
}

/** Returns the name that a visitor entered, shortened and without the characters that the service refuses. */
export function enteredName(name: unknown): string {
  // A JSON body can contain an object that cannot be converted.
  const text = name === undefined || typeof name === 'object' ? '' : String(name);
  return text.slice(0, maxNameLength).replace(unacceptable, '') || 'unknown';
}

/** Returns a text of the body, which is JSON or form data. */
export function textOf(body: unknown, name: string): string | undefined {
  const value = fieldOf(body, name);
  return typeof value === 'string' ? value : undefined;
}

/** Returns a field of the body, which is JSON or form data. */
export function fieldOf(body: unknown, name: string): unknown {
  try {
    return body instanceof FormData
      ? (body.get(name) ?? undefined)
      : Object.getOwnPropertyDescriptor(Object(body), name)?.value;
  } catch {
    return undefined;
  }
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
