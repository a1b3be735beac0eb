import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { pageCookie } from '../../../http/page-cookie.js';
import { visitLifetimeSeconds } from '../../../operations/challenge-page/visit.js';
import { isFormTokenOf } from '../../../secrets/index.js';
import type { Service } from '../../../service.js';

const cookieName = 'whorl_challenge';
export const formPurpose = 'challenge-page.csrf';

export function readSession(c: Context): string | undefined {
  return getCookie(c, cookieName);
}

/** For this challenge's page alone, and out of the reach of scripts. */
export function sessionCookie(service: Pick<Service, 'publicUrl'>, action: string, session: string): string {
  return pageCookie(service, {
    ...{ name: cookieName, value: session, path: action, sameSite: 'Lax' },
    seconds: visitLifetimeSeconds,
  });
}

/** Whether a form is from a page of this visit. */
export function isOwnForm({ vault }: Pick<Service, 'vault'>, session: string, fields: URLSearchParams): boolean {
  return isFormTokenOf(vault, formPurpose, session, fields.get('csrf'));
}
