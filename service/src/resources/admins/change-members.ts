import { OperatorError } from '../../ground/operator-error.js';
import { emailContext, type Origin, recordAudit } from '../audit/audit.js';
import type { Service, Transaction } from '../service.js';
import { maskEmail } from '../users/rules/mask.js';
import { removeSessionsOf } from './admin-sessions-queries.js';
import { findAdminByEmail, readAdminEmail } from './admins.js';
import { type AdminRow, findAdminById, lockAdmins, removeAdmin, updateAdmin } from './admins-queries.js';
import { removeFactors } from './factors-queries.js';
import type { Access } from './links.js';
import type { MemberScope } from './members.js';
import {
  countOwners,
  findMembership,
  listMemberships,
  removeInvitationsBy,
  removeMembership,
  saveMembership,
} from './members-queries.js';
import { isAtLeast, type Role } from './permissions.js';

export interface MemberChoice {
  readonly memberId: string;
  readonly scope: MemberScope;
  readonly origin: Origin;
}

/**
 * Gives a member another role. A lesser role ends the member's sessions, and revokes the invitations it made.
 *
 * @throws OperatorError if there is no such member, or if nobody else is an owner.
 */
export function changeAccess(service: Service, choice: MemberChoice & { readonly access: Access }): Promise<void> {
  return changeMember(service, choice, async (trx, admin) => {
    const { access, origin } = choice;
    const projectId = access.role === 'owner' ? undefined : access.project.id;
    const from = await roleOf(trx, admin, projectId);
    if (from === access.role) return;
    if (admin.is_owner) await keepAnOwner(trx, service, admin);
    if (admin.is_owner !== (access.role === 'owner')) {
      await updateAdmin(trx, admin.id, { is_owner: access.role === 'owner' });
    }
    if (access.role !== 'owner') {
      const membership = { project_id: access.project.id, admin_id: admin.id, role: access.role };
      await saveMembership(trx, membership, service.now());
    }
    if (from !== undefined && !isAtLeast(access.role, from)) {
      await endAccess(trx, admin, from === 'owner' ? undefined : projectId);
    }
    await recordAudit(trx, service, {
      ...origin,
      kind: 'role_changed',
      adminId: admin.id,
      subject: admin.id,
      projectId,
      changes: { role: { from: from ?? null, to: access.role } },
      details: { email: maskedEmail(service, admin) },
    });
  });
}

/**
 * Gives an account a role in a place where it has none.
 *
 * @throws OperatorError if it has one already.
 */
export function addAccess(
  service: Service,
  { memberId, access, origin }: Omit<MemberChoice, 'scope'> & { readonly access: Access },
): Promise<void> {
  return service.db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    const admin = await findAdminById(trx, memberId);
    if (!admin) throw new OperatorError('This member does not exist. It may have been removed.');
    const projectId = access.role === 'owner' ? undefined : access.project.id;
    if (admin.is_owner) {
      throw new OperatorError('This person is an owner, who already has every permission in all projects.');
    }
    if (access.role === 'owner') await updateAdmin(trx, memberId, { is_owner: true });
    else {
      const current = await findMembership(trx, { projectId: access.project.id, adminId: memberId });
      if (current) {
        throw new OperatorError(
          `This person is already a member of this project, as ${current}. Change the role instead.`,
        );
      }
      await saveMembership(
        trx,
        { project_id: access.project.id, admin_id: memberId, role: access.role },
        service.now(),
      );
    }
    await recordAudit(trx, service, {
      ...origin,
      kind: 'member_added',
      adminId: admin.id,
      subject: admin.id,
      projectId,
      changes: { role: { from: null, to: access.role } },
      details: { email: maskedEmail(service, admin) },
    });
  });
}

/**
 * Removes a member from a project, or from the installation, and ends all of their sessions. An account that is no longer
 * a member of any project is deleted.
 *
 * @throws OperatorError if there is no such member, or if nobody else is an owner.
 */
export function removeMember(service: Service, choice: MemberChoice): Promise<void> {
  const { scope, origin } = choice;
  return changeMember(service, choice, async (trx, admin) => {
    if (admin.is_owner) await keepAnOwner(trx, service, admin);
    const from = await roleOf(trx, admin, scope);
    if (scope !== undefined) await removeMembership(trx, { projectId: scope, adminId: admin.id });
    await endAccess(trx, admin, scope);
    const isLast = scope === undefined || (await listMemberships(trx, admin.id)).length === 0;
    if (isLast) await removeAdmin(trx, admin.id);
    await recordAudit(trx, service, {
      ...origin,
      kind: 'member_removed',
      adminId: admin.id,
      subject: admin.id,
      projectId: scope,
      ...(from && { changes: { role: { from, to: null } } }),
      details: { email: maskedEmail(service, admin) },
    });
  });
}

/** Removes an account by its email address. @throws OperatorError as `removeMember`. */
export async function removeMemberByEmail(
  service: Service,
  typed: string,
  { scope, origin = {} }: { readonly scope?: MemberScope; readonly origin?: Origin } = {},
): Promise<void> {
  await removeMember(service, { memberId: await memberIdOf(service, typed), scope, origin });
}

/** Removes all second factors of an account, and ends its sessions. */
export async function removeFactorsOf(service: Service, memberId: string, origin: Origin = {}): Promise<void> {
  await service.db.transaction().execute(async (trx) => {
    await removeFactors(trx, memberId);
    await removeSessionsOf(trx, memberId);
    const admin = await findAdminById(trx, memberId);
    // An administrator who acts takes the place of the account in an entry.
    const details = { second_factor: 'all', ...(admin && origin.by && { email: maskedEmail(service, admin) }) };
    const entry = { ...origin, kind: 'second_factor_removed', adminId: memberId, subject: memberId, details };
    await recordAudit(trx, service, entry);
  });
}

/** Returns the ID of an account. @throws OperatorError if there is no such account. */
export async function memberIdOf(service: Service, typed: string): Promise<string> {
  const email = readAdminEmail(typed);
  const admin = email === undefined ? undefined : await findAdminByEmail(service.db, service, email);
  if (!admin) throw new OperatorError('There is no member with this email address.');
  return admin.id;
}

/** Runs a change of one member, while no other member is changed. In a project, owners cannot be changed. */
function changeMember(
  service: Service,
  { memberId, scope }: MemberChoice,
  change: (trx: Transaction, admin: AdminRow) => Promise<void>,
): Promise<void> {
  return service.db.transaction().execute(async (trx) => {
    await lockAdmins(trx);
    const admin = await findAdminById(trx, memberId);
    const role = admin && (await roleOf(trx, admin, scope));
    if (!admin || role === undefined) {
      throw new OperatorError('This member does not exist. It may have been removed.');
    }
    if (scope !== undefined && admin.is_owner) {
      throw new OperatorError('Owners are not members of a project. Another owner can change or remove them.');
    }
    await change(trx, admin);
  });
}

/** Returns the role of an account in a project. Without one: `owner`, or its greatest role. */
async function roleOf(trx: Transaction, admin: AdminRow, projectId: string | undefined): Promise<Role | undefined> {
  if (admin.is_owner) return 'owner';
  if (projectId !== undefined) return findMembership(trx, { projectId, adminId: admin.id });
  const [first, ...others] = (await listMemberships(trx, admin.id)).map(({ role }) => role);
  return others.reduce<Role | undefined>((best, role) => (best && isAtLeast(best, role) ? best : role), first);
}

/** @throws OperatorError if there is one owner only, or if it is the one for emergencies. */
async function keepAnOwner(trx: Transaction, { vault, signIn }: Service, { email }: AdminRow): Promise<void> {
  if (vault.open(email, emailContext) === signIn.emergencyOwner) {
    throw new OperatorError('This is the emergency owner, named in EMERGENCY_OWNER. Name somebody else there first.');
  }
  if ((await countOwners(trx)) > 1) return;
  throw new OperatorError(
    'This is the last owner, who cannot be removed or become anything else. Make somebody else an owner first.',
  );
}

async function endAccess(trx: Transaction, { id }: AdminRow, projectId: string | undefined): Promise<void> {
  await removeSessionsOf(trx, id);
  await removeInvitationsBy(trx, id, projectId);
}

function maskedEmail({ vault }: Service, { email }: AdminRow): string {
  return maskEmail(vault.open(email, emailContext));
}
