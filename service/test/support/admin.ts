import { hashSecret } from '../../src/crypto/index.js';
import { sessionName } from '../../src/dashboard/request.js';
import { confirmAdminSession } from '../../src/dashboard/sign-in/admin-sessions-queries.js';
import { findAdminByEmail, makeInvitation, makeResetLink, sealAdminEmail } from '../../src/dashboard/sign-in/admins.js';
import { insertAdmin } from '../../src/dashboard/sign-in/admins-queries.js';
import { beginSession } from '../../src/dashboard/sign-in/session.js';
import { pageCookieName } from '../../src/http/pages/page-response.js';
import type { Service } from '../../src/service.js';
import type { TestProject, TestService } from './service.js';
import { type Visitor, visitorOf } from './visitor.js';

export const password = 'correct horse battery staple';

/** A browser in which a new administrator has signed in by an invitation, or one of this address by a new password. */
export async function adminOf(service: TestService, email = 'ada@example.com', chosen = password): Promise<Visitor> {
  const visitor = visitorOf(service);
  const isKnown = await findAdminByEmail(service.db, service.service, email.toLowerCase());
  const makeLink = isKnown ? makeResetLink : makeInvitation;
  await visitor.open(await makeLink(service.service, email));
  const page = await visitor.submit('set-up', { password: chosen });
  if (page.status !== 303) throw new Error(`Not set up: ${page.text}`);
  return visitor;
}

/**
 * The same at once, at a service behind an address; how one signs in is another file's concern. For 5 minutes, the
 * password is not asked for again.
 */
export async function administratorAt(url: string, service: Service, email: string): Promise<Visitor> {
  const { db } = service;
  const id = service.newId();
  await insertAdmin(db, { id, ...sealAdminEmail(service, email), password_hash: 'none', created_at: service.now() });
  const visitor = visitorOf({ url });
  const token = await beginSession(db, service, id);
  visitor.cookies.set(pageCookieName(service, sessionName), token);
  await confirmAdminSession(db, hashSecret(token), service.now());
  return visitor;
}

/** Where a section of a project stands. */
export function sectionOf({ project }: TestProject, section: string, mode: 'live' | 'test' = 'live'): string {
  return `/dashboard/${project.id}/${mode}/${section}`;
}
