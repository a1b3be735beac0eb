import { emailContext } from '../audit/audit.js';
import type { Service } from '../service.js';
import { listAdminRows } from './admins-queries.js';
import { listAdminsWithPasskeys } from './factors-queries.js';
import { listLinkedAdmins } from './identities-queries.js';
import { findMembership, listMemberships } from './members-queries.js';
import type { ProjectRole, Role } from './permissions.js';

/** Account with what it may access. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly createdAt: Date;
  readonly isOwner: boolean;
  /** Whether it has a second factor. */
  readonly hasFactor: boolean;
  /** Whether it is linked to an account of the provider. */
  readonly isLinked: boolean;
  /** Roles in projects, by the project's ID. */
  readonly roles: ReadonlyMap<string, ProjectRole>;
}

/** Where members are managed: in one project, or in the whole installation (undefined). */
export type MemberScope = string | undefined;

/** Returns the members of a project, with all owners; without one, all accounts. The oldest first. */
export async function listMembers({ db, vault }: Service, scope: MemberScope): Promise<Member[]> {
  const [rows, memberships, linked] = await Promise.all([listAdminRows(db), listMemberships(db), listLinkedAdmins(db)]);
  const withPasskeys = await listAdminsWithPasskeys(db);
  const members = rows.map(({ id, email, created_at, is_owner, totp_secret }) => ({
    id,
    email: vault.open(email, emailContext),
    createdAt: created_at,
    isOwner: is_owner,
    hasFactor: totp_secret !== null || withPasskeys.has(id),
    isLinked: linked.has(id),
    roles: new Map(
      memberships.filter(({ admin_id }) => admin_id === id).map(({ project_id, role }) => [project_id, role]),
    ),
  }));
  return scope === undefined ? members : members.filter(({ isOwner, roles }) => isOwner || roles.has(scope));
}

/** Returns the IDs of the projects that an account may see; undefined if it may see all. */
export async function projectsOf(
  { db }: Service,
  { id, isOwner }: { readonly id: string; readonly isOwner: boolean },
): Promise<ReadonlySet<string> | undefined> {
  if (isOwner) return undefined;
  return new Set((await listMemberships(db, id)).map(({ project_id }) => project_id));
}

/** Returns the role of an account in a project; undefined if it has none. */
export async function roleInProject(
  { db }: Service,
  { id, isOwner }: { readonly id: string; readonly isOwner: boolean },
  projectId: string,
): Promise<Role | undefined> {
  return isOwner ? 'owner' : findMembership(db, { projectId, adminId: id });
}
