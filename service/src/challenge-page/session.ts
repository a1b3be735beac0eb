import type { Context } from 'hono';
import { isFormTokenOf } from '../crypto/index.js';
import { pageCookie, readPageCookie } from '../http/pages/page-response.js';
import type { Service } from '../service.js';
import { visitLifetimeSeconds } from './visit.js';

/** One for each challenge: over https, the browser sends all of them to every page. */
const cookieName = (challengeId: string) => `whorl_challenge_${challengeId}`;
export const formPurpose = 'challenge-page.csrf';

export function readSession(service: Pick<Service, 'publicUrl'>, c: Context, challengeId: string): string | undefined {
  return readPageCookie(service, c, cookieName(challengeId));
}

/** Returns the cookie of a visit to a challenge's page. */
export function sessionCookie(
  service: Pick<Service, 'publicUrl'>,
  { challengeId, path, session }: { readonly challengeId: string; readonly path: string; readonly session: string },
): string {
  return pageCookie(service, {
    ...{ name: cookieName(challengeId), value: session, path, sameSite: 'Lax' },
    seconds: visitLifetimeSeconds,
  });
}

/** Whether a form is from a page of this visit. */
export function isOwnForm({ vault }: Pick<Service, 'vault'>, session: string, fields: URLSearchParams): boolean {
  return isFormTokenOf(vault, formPurpose, session, fields.get('csrf'));
}
