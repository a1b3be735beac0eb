import type { Context } from 'hono';
import { validate } from 'uuid';
import { ApiError } from '../errors.js';
import { basePathOf } from '../http/base-path.js';
import { pageCookie, readPageCookie } from '../http/pages/page-cookie.js';
import type { Service } from '../service.js';
import { longestSessionSeconds } from './sign-in/session.js';

/** An id in an address; undefined where it is none. */
export function idIn(text: string | null | undefined): string | undefined {
  return text && validate(text) ? text : undefined;
}

/** @throws {ApiError} `invalid_request`, where a form has none of these. */
export function choiceIn<Choice extends string>(
  fields: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((each) => each === fields.get(name));
  if (choice !== undefined) return choice;
  throw new ApiError('invalid_request', { detail: `The form has no ${name.replaceAll('_', ' ')} that there is.` });
}

/**
 * Whether a form was posted by a page of this service, as far as the browser tells: by Fetch Metadata where it sends
 * that, or else by the origin, which it hides here (`null`) since our pages tell their address to nobody. The forms' own
 * token is checked besides.
 */
export function isFromOwnPage(c: Context, publicUrl: string): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = c.req.header('origin');
  if (origin === undefined || origin === 'null') return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).origin === new URL(publicUrl).origin || new URL(origin).host === c.req.header('host');
}

export const sessionName = 'whorl_dashboard';
export const visitorName = 'whorl_dashboard_visitor';
/** 32 bytes in base64url, as all values of these cookies are. */
const valueForm = /^[\w-]{43}$/;

type PublicUrl = Pick<Service, 'publicUrl'>;

export function readSessionCookie(service: PublicUrl, c: Context): string | undefined {
  return readPageCookie(service, c, sessionName);
}

/** The browser sends it with nothing that begins at another site: whoever comes from there signs in again, or reloads. */
export function sessionCookie(service: PublicUrl, token: string): string {
  return cookie(service, sessionName, token, 'Strict', longestSessionSeconds);
}

export function noSessionCookie(service: PublicUrl): string {
  return cookie(service, sessionName, '', 'Strict', 0);
}

/**
 * Returns what ties a form to the browser that it was shown to, before anybody is signed in; or the token of a link.
 * Undefined for what this service never set: nothing that a browser sends is written into a header unread.
 */
export function readVisitorCookie(service: PublicUrl, c: Context): string | undefined {
  const value = readPageCookie(service, c, visitorName);
  return value !== undefined && valueForm.test(value) ? value : undefined;
}

/** It is sent too where a link in a mail or a chat leads: all that is done with it is done by a form. */
export function visitorCookie(service: PublicUrl, value: string): string {
  return cookie(service, visitorName, value, 'Lax', 3600);
}

export function noVisitorCookie(service: PublicUrl): string {
  return cookie(service, visitorName, '', 'Lax', 0);
}

function cookie(service: PublicUrl, name: string, value: string, sameSite: 'Strict' | 'Lax', seconds: number): string {
  return pageCookie(service, { name, value, path: `${basePathOf(service)}/dashboard`, sameSite, seconds });
}
