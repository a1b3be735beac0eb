import type { ProjectMemberTable } from '../../ground/db/schema/index.js';
import type { Database } from '../service.js';

export type StoredRole = ProjectMemberTable['role'];

export interface MembershipRow {
  readonly project_id: string;
  readonly admin_id: string;
  readonly role: StoredRole;
}

/** Returns the role of an account in a project; undefined if it is not a member. */
export async function findMembership(
  db: Database,
  { projectId, adminId }: { readonly projectId: string; readonly adminId: string },
): Promise<StoredRole | undefined> {
  const row = await db
    .selectFrom('project_members')
    .select('role')
    .where('project_id', '=', projectId)
    .where('admin_id', '=', adminId)
    .executeTakeFirst();
  return row?.role;
}

/** Returns the memberships of one account, or of all. */
export function listMemberships(db: Database, adminId?: string): Promise<MembershipRow[]> {
  const all = db.selectFrom('project_members').select(['project_id', 'admin_id', 'role']).orderBy('created_at');
  return (adminId === undefined ? all : all.where('admin_id', '=', adminId)).execute();
}

export async function saveMembership(db: Database, membership: MembershipRow, now: Date): Promise<void> {
  await db
    .insertInto('project_members')
    .values({ ...membership, created_at: now })
    .onConflict((conflict) => conflict.columns(['project_id', 'admin_id']).doUpdateSet({ role: membership.role }))
    .execute();
}

export async function removeMembership(
  db: Database,
  { projectId, adminId }: { readonly projectId: string; readonly adminId: string },
): Promise<void> {
  await db.deleteFrom('project_members').where('project_id', '=', projectId).where('admin_id', '=', adminId).execute();
}

export async function countOwners(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('admins')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('is_owner', '=', true)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export interface InvitationRow {
  readonly id: string;
  readonly email: Uint8Array | null;
  readonly role: StoredRole | 'owner' | null;
  readonly project_id: string | null;
  readonly expires_at: Date;
}

/** Returns the invitations that can still be used: of one project, or all. */
export function listInvitationRows(
  db: Database,
  { projectId, now }: { readonly projectId: string | undefined; readonly now: Date },
): Promise<InvitationRow[]> {
  const open = db
    .selectFrom('admin_links')
    .select(['id', 'email', 'role', 'project_id', 'expires_at'])
    .where('purpose', '=', 'invitation')
    .where('expires_at', '>', now)
    .orderBy('expires_at');
  return (projectId === undefined ? open : open.where('project_id', '=', projectId)).execute();
}

/** Deletes an invitation: of one project, or any. Returns the deleted row; undefined if there is none. */
export function removeInvitation(
  db: Database,
  { id, projectId }: { readonly id: string; readonly projectId: string | undefined },
): Promise<InvitationRow | undefined> {
  const one = db.deleteFrom('admin_links').where('id', '=', id).where('purpose', '=', 'invitation');
  const scoped = projectId === undefined ? one : one.where('project_id', '=', projectId);
  return scoped.returning(['id', 'email', 'role', 'project_id', 'expires_at']).executeTakeFirst();
}

/** Deletes the invitations that an account made: for one project, or all. */
export async function removeInvitationsBy(db: Database, adminId: string, projectId?: string): Promise<void> {
  const all = db.deleteFrom('admin_links').where('invited_by', '=', adminId);
  await (projectId === undefined ? all : all.where('project_id', '=', projectId)).execute();
}
