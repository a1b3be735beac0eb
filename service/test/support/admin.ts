import {
  beginSession,
  confirmAdminSession,
  findAdminByEmail,
  hashSecret,
  insertAdmin,
  makeInvitation,
  makeResetLink,
  type ProjectRole,
  pageCookieName,
  type Service,
  saveMembership,
  sealAdminEmail,
  sessionName,
} from '../../src/testing.js';
import type { TestProject, TestService } from './service.js';
import { type Visitor, visitorOf } from './visitor.js';

export const password = 'correct horse battery staple';

/** Returns a link that makes an email address an owner. */
export async function ownerInvitation({ service }: Pick<TestService, 'service'>, email: string): Promise<string> {
  return (await makeInvitation(service, { email, access: { role: 'owner' } })).link;
}

/**
 * Returns a browser in which an owner is signed in: a new one, by an invitation, or an existing one, by a reset link.
 */
export async function adminOf(service: TestService, email = 'ada@example.com', chosen = password): Promise<Visitor> {
  const visitor = visitorOf(service);
  const isKnown = await findAdminByEmail(service.db, service.service, email.toLowerCase());
  await visitor.open(await (isKnown ? makeResetLink(service.service, email) : ownerInvitation(service, email)));
  const page = await visitor.submit('set-up', { password: chosen });
  if (page.status !== 303) throw new Error(`Not set up: ${page.text}`);
  return visitor;
}

export interface InsertedMember {
  readonly email: string;
  /** Default: an owner. */
  readonly role?: ProjectRole;
  /** Project of the role. */
  readonly projectId?: string;
}

/** Inserts an account without a password. Returns its ID. */
export async function insertMember(service: Service, { email, role, projectId }: InsertedMember): Promise<string> {
  const { db } = service;
  const id = service.newId();
  const account = { id, ...sealAdminEmail(service, email), password_hash: 'none', created_at: service.now() };
  await insertAdmin(db, { ...account, is_owner: role === undefined });
  if (role && projectId) await saveMembership(db, { project_id: projectId, admin_id: id, role }, service.now());
  return id;
}

/** Returns a browser of an owner with a session that is inserted directly, for tests that are not about signing in. */
export function administratorAt(url: string, service: Service, email: string): Promise<Visitor> {
  return memberAt(url, service, { email });
}

/**
 * Returns a browser of a new account with a session that is inserted directly. The password counts as confirmed for 10
 * minutes.
 */
export async function memberAt(url: string, service: Service, member: InsertedMember): Promise<Visitor> {
  const { db } = service;
  const id = await insertMember(service, member);
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
