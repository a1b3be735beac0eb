import type { Context } from 'hono';
import { validate } from 'uuid';
import { isLogPosition, type LogPosition } from '../ground/db/replica/position-rules.js';
import { ApiError } from '../ground/errors.js';
import { hourSeconds } from '../ground/time.js';
import { basePathOf, type PageCookie, pageCookie, readPageCookie } from '../http/pages/page-response.js';
import { providerFlowSeconds } from '../resources/admins/rules.js';
import type { Service } from '../resources/service.js';
import { maxSessionSeconds } from './sign-in/session.js';

/** Returns an ID from a URL, or undefined if it is not a UUID. */
export function idIn(text: string | null | undefined): string | undefined {
  return text && validate(text) ? text : undefined;
}

/**
 * Returns the value of a form field that must be one of several choices.
 *
 * @throws {ApiError} `invalid_request`
 */
export function choiceIn<Choice extends string>(
  fields: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((each) => each === fields.get(name));
  if (choice !== undefined) return choice;
  throw new ApiError('invalid_request', {
    detail: `The field "${name}" must be one of: ${choices.join(', ')}. Go back and choose one.`,
  });
}

/**
 * Returns whether a form was posted by a page of this service, according to the browser: by Fetch Metadata if it is sent,
 * otherwise by the origin. The origin is `null` on our pages because of their referrer policy. The form's token is checked
 * separately.
 */
export function isFromOwnPage(c: Context, publicUrl: string): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = c.req.header('origin');
  if (origin === undefined || origin === 'null') return true;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).origin === new URL(publicUrl).origin || new URL(origin).host === c.req.header('host');
}

/** Returns the requested page of the dashboard. Returns undefined for other URLs, such as another site. */
export function readNext(
  service: Pick<Service, 'publicUrl'>,
  requested: string | null | undefined,
): string | undefined {
  if (!requested || !URL.canParse(requested, service.publicUrl)) return undefined;
  const { origin, pathname, search } = new URL(requested, service.publicUrl);
  const dashboard = `${basePathOf(service)}/dashboard`;
  const isWithin = pathname === dashboard || pathname.startsWith(`${dashboard}/`);
  return origin === new URL(service.publicUrl).origin && isWithin ? pathname + search : undefined;
}

export const sessionName = 'whorl_dashboard';
export const visitorName = 'whorl_dashboard_visitor';
const flowName = 'whorl_dashboard_flow';
const writtenName = 'whorl_dashboard_written';
/** 32 bytes in base64url, the format of all values of these cookies. */
const valuePattern = /^[\w-]{43}$/;

const writtenMarginSeconds = 60;

type PublicUrl = Pick<Service, 'publicUrl'>;

export function readSessionCookie(service: PublicUrl, c: Context): string | undefined {
  return readPageCookie(service, c, sessionName);
}

/** Returns the session cookie. SameSite=Strict: the browser does not send it with requests that start on another site. */
export function sessionCookie(service: PublicUrl, token: string): string {
  return cookie(service, { name: sessionName, value: token, sameSite: 'Strict', seconds: maxSessionSeconds });
}

export function noSessionCookie(service: PublicUrl): string {
  return cookie(service, { name: sessionName, value: '', sameSite: 'Strict', seconds: 0 });
}

/**
 * Returns the value that binds a form to a browser before sign-in, or the token of a link. Returns undefined if the
 * value is not in the format that this service sets, because only validated values may be written to a header.
 */
export function readVisitorCookie(service: PublicUrl, c: Context): string | undefined {
  const value = readPageCookie(service, c, visitorName);
  return value !== undefined && valuePattern.test(value) ? value : undefined;
}

/** Returns the visitor cookie. SameSite=Lax: it must be sent when a link from an email is opened. It only protects forms. */
export function visitorCookie(service: PublicUrl, value: string): string {
  return cookie(service, { name: visitorName, value, sameSite: 'Lax', seconds: hourSeconds });
}

export function noVisitorCookie(service: PublicUrl): string {
  return cookie(service, { name: visitorName, value: '', sameSite: 'Lax', seconds: 0 });
}

/** Returns the sealed sign-in with the provider that this browser has begun. */
export function readFlowCookie(service: PublicUrl, c: Context): string | undefined {
  return readPageCookie(service, c, flowName);
}

/** Returns the cookie of a sign-in with the provider. SameSite=Lax: it must be sent when the provider redirects back. */
export function flowCookie(service: PublicUrl, value: string): string {
  return cookie(service, { name: flowName, value, sameSite: 'Lax', seconds: providerFlowSeconds });
}

export function noFlowCookie(service: PublicUrl): string {
  return cookie(service, { name: flowName, value: '', sameSite: 'Lax', seconds: 0 });
}

/** Returns the position in the database's log that includes every change of this browser. */
export function readWrittenCookie(service: PublicUrl, c: Context): LogPosition | undefined {
  const value = readPageCookie(service, c, writtenName);
  return value !== undefined && isLogPosition(value) ? value : undefined;
}

/** Returns the cookie with the position of a change. Once it has expired, a replica that is used has the change. */
export function writtenCookie(service: PublicUrl, position: LogPosition, maxLagMs: number): string {
  const seconds = Math.ceil(maxLagMs / 1000) + writtenMarginSeconds;
  return cookie(service, { name: writtenName, value: position, sameSite: 'Strict', seconds });
}

function cookie(service: PublicUrl, cookie: Omit<PageCookie, 'path'>): string {
  return pageCookie(service, { ...cookie, path: `${basePathOf(service)}/dashboard` });
}
