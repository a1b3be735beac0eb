import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { visitLifetimeSeconds } from '../../../operations/challenge-page/visit.js';
import type { Service } from '../../../service.js';

const cookieName = 'whorl_challenge';
const purpose = 'challenge-page.csrf';

export function readSession(c: Context): string | undefined {
  return getCookie(c, cookieName);
}

/** For this challenge's page alone, and out of the reach of scripts. */
export function sessionCookie(publicUrl: string, action: string, session: string): string {
  const attributes = [`Path=${action}`, 'HttpOnly', 'SameSite=Lax', `Max-Age=${visitLifetimeSeconds}`];
  if (publicUrl.startsWith('https:')) attributes.push('Secure');
  return [`${cookieName}=${session}`, ...attributes].join('; ');
}

/** What a form of the page carries, and no page of another site knows: a keyed hash of the session. */
export function formToken({ vault }: Pick<Service, 'vault'>, session: string): string {
  return markOf(vault.keys(purpose)[0], session).toString('base64url');
}

export function isFormToken({ vault }: Pick<Service, 'vault'>, session: string, token: string | null): boolean {
  const given = Buffer.from(token ?? '', 'base64url');
  return vault.keys(purpose).some((key) => {
    const mark = markOf(key, session);
    return given.length === mark.length && timingSafeEqual(given, mark);
  });
}

function markOf(key: Uint8Array, session: string): Buffer {
  return createHmac('sha256', key).update(session).digest();
}
