import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { basePathOf } from '../../../http/base-path.js';
import { pageCookie } from '../../../http/page-cookie.js';
import { longestSessionSeconds } from '../../../operations/dashboard/session.js';
import type { Service } from '../../../service.js';

const sessionName = 'whorl_dashboard';
const visitorName = 'whorl_dashboard_visitor';

type PublicUrl = Pick<Service, 'publicUrl'>;

export function readSessionCookie(c: Context): string | undefined {
  return getCookie(c, sessionName);
}

/**
 * For the dashboard alone, out of the reach of scripts, and sent with nothing that begins at another site: whoever comes
 * from there signs in again, or reloads.
 */
export function sessionCookie(service: PublicUrl, token: string): string {
  return cookie(service, sessionName, token, 'Strict', longestSessionSeconds);
}

export function noSessionCookie(service: PublicUrl): string {
  return cookie(service, sessionName, '', 'Strict', 0);
}

/** What ties a form to the browser that it was shown to, before anybody is signed in; or the token of a link. */
export function readVisitorCookie(c: Context): string | undefined {
  return getCookie(c, visitorName);
}

/** It is sent too where a link in a mail or a chat leads: all that is done with it is done by a form. */
export function visitorCookie(service: PublicUrl, value: string): string {
  return cookie(service, visitorName, value, 'Lax', 3600);
}

function cookie(service: PublicUrl, name: string, value: string, sameSite: 'Strict' | 'Lax', seconds: number): string {
  return pageCookie(service, { name, value, path: `${basePathOf(service)}/dashboard`, sameSite, seconds });
}
