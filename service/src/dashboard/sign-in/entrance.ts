import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { isFormTokenOf } from '../../crypto/index.js';
import type { HttpEnv } from '../../http/environment.js';
import { basePathOf } from '../../http/pages/page-response.js';
import { readForm } from '../../http/pages/page-route.js';
import type { Service } from '../../service.js';
import { readVisitorCookie } from '../cookies.js';
import { isFromOwnPage } from '../same-site.js';

const visitorBytes = 32;

/** What a browser keeps that has no session: as it had it, or new. */
export function visitorOf(service: Pick<Service, 'publicUrl'>, c: Context): string {
  return readVisitorCookie(service, c) ?? randomBytes(visitorBytes).toString('base64url');
}

/** The form of somebody who is not signed in; undefined where it is not from a page that this browser was shown. */
export async function readVisitorForm(
  service: Service,
  c: Context<HttpEnv>,
): Promise<{ readonly fields: URLSearchParams; readonly visitor: string } | undefined> {
  const visitor = readVisitorCookie(service, c);
  if (!visitor || !isFromOwnPage(c, service.publicUrl)) return undefined;
  const fields = await readForm(c);
  return isFormTokenOf(service.vault, 'dashboard.csrf', visitor, fields.get('csrf')) ? { fields, visitor } : undefined;
}

/** Where in the dashboard one wanted to go; undefined for anything else, above all for other sites. */
export function readNext(service: Pick<Service, 'publicUrl'>, given: string | null | undefined): string | undefined {
  if (!given || !URL.canParse(given, service.publicUrl)) return undefined;
  const { origin, pathname, search } = new URL(given, service.publicUrl);
  const dashboard = `${basePathOf(service)}/dashboard`;
  const isWithin = pathname === dashboard || pathname.startsWith(`${dashboard}/`);
  return origin === new URL(service.publicUrl).origin && isWithin ? pathname + search : undefined;
}
