import {
  beginSession,
  confirmAdminSession,
  findAdminByEmail,
  hashSecret,
  insertAdmin,
  makeInvitation,
  makeResetLink,
  pageCookieName,
  type Service,
  sealAdminEmail,
  sessionName,
} from '../../src/testing.js';
import type { TestProject, TestService } from './service.js';
import { type Visitor, visitorOf } from './visitor.js';

export const password = 'correct horse battery staple';

/**
 * Returns a browser in which an administrator is signed in: a new one, by an invitation, or an existing one, by a reset
 * link.
 */
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
 * Returns a browser with a session that is inserted directly, for tests that are not about signing in. The password
 * counts as confirmed for 5 minutes.
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

/** Returns the path of a section of a project. */
export function sectionOf({ project }: TestProject, section: string, mode: 'live' | 'test' = 'live'): string {
  return `/dashboard/${project.id}/${mode}/${section}`;
}
