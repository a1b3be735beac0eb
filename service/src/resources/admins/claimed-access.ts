import { OperatorError } from '../../ground/operator-error.js';
import { type AuditEntry, emailContext } from '../audit/audit.js';
import { findProject } from '../projects/find-project.js';
import type { Service, Transaction } from '../service.js';
import { maskEmail } from '../users/rules/mask.js';
import { removeSessionsOf } from './admin-sessions-queries.js';
import { type AdminRow, removeAdmin, updateAdmin } from './admins-queries.js';
import { listMemberships, removeInvitationsBy, removeMembership, saveMembership } from './members-queries.js';
import { isAtLeast, type ProjectRole, type Role } from './permissions.js';
import type { GivenRole } from './sign-in-options.js';

/** Actor of changes that follow from a sign-in with the provider. */
export const openIdConnect = 'OpenID Connect';

/** What an account may access, according to the provider. */
export interface ClaimedAccess {
  readonly isOwner: boolean;
  /** Roles in projects, by the project's ID. */
  readonly roles: ReadonlyMap<string, ProjectRole>;
}

export const isNothing = ({ isOwner, roles }: ClaimedAccess) => !isOwner && roles.size === 0;

/** Finds the projects of roles. The greatest role in a project counts. Projects that do not exist are logged. */
export async function resolveRoles(
  trx: Transaction,
  { log }: Pick<Service, 'log'>,
  given: readonly GivenRole[],
): Promise<ClaimedAccess> {
  const roles = new Map<string, ProjectRole>();
  for (const each of given) {
    if (each.role === 'owner') continue;
    try {
      const { id } = await findProject(trx, each.project);
      const current = roles.get(id);
      if (!current || isAtLeast(each.role, current)) roles.set(id, each.role);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      log.warn({ project: each.project }, 'A project in OIDC_ROLES does not exist, or several have its name');
    }
  }
  return { isOwner: given.some(({ role }) => role === 'owner'), roles };
}

interface Difference {
  readonly projectId: string | undefined;
  readonly from: Role | undefined;
  readonly to: Role | undefined;
}

/**
 * Makes the roles of an account those that the provider gives. A lesser role ends its sessions, and revokes the
 * invitations it made. Returns what to record.
 */
export async function setAccess(
  trx: Transaction,
  service: Service,
  admin: Pick<AdminRow, 'id' | 'is_owner' | 'email'>,
  wanted: ClaimedAccess,
): Promise<AuditEntry[]> {
  const current = new Map((await listMemberships(trx, admin.id)).map(({ project_id, role }) => [project_id, role]));
  const ofInstallation: Difference = {
    projectId: undefined,
    from: admin.is_owner ? 'owner' : undefined,
    to: wanted.isOwner ? 'owner' : undefined,
  };
  const ofProjects = [...new Set([...current.keys(), ...wanted.roles.keys()])].map(
    (projectId): Difference => ({ projectId, from: current.get(projectId), to: wanted.roles.get(projectId) }),
  );
  const differences = [ofInstallation, ...ofProjects].filter(({ from, to }) => from !== to);
  if (wanted.isOwner !== admin.is_owner) await updateAdmin(trx, admin.id, { is_owner: wanted.isOwner });
  for (const difference of differences) await apply(trx, service, admin.id, difference, wanted);
  return differences.map((difference) => entryOf(service, admin, difference));
}

async function apply(
  trx: Transaction,
  { now }: Service,
  adminId: string,
  { projectId, from, to }: Difference,
  wanted: ClaimedAccess,
): Promise<void> {
  const role = projectId === undefined ? undefined : wanted.roles.get(projectId);
  if (projectId !== undefined && role) {
    await saveMembership(trx, { project_id: projectId, admin_id: adminId, role }, now());
  } else if (projectId !== undefined) await removeMembership(trx, { projectId, adminId });
  if (from === undefined || (to !== undefined && isAtLeast(to, from))) return;
  await removeSessionsOf(trx, adminId);
  await removeInvitationsBy(trx, adminId, projectId);
}

/** Deletes an account to which the provider gives no role any more, with its sessions. Returns what to record. */
export async function removeAccess(trx: Transaction, service: Service, admin: AdminRow): Promise<AuditEntry[]> {
  const entries = await setAccess(trx, service, admin, { isOwner: false, roles: new Map() });
  await removeAdmin(trx, admin.id);
  return entries;
}

function entryOf(
  { vault }: Service,
  { id, email }: Pick<AdminRow, 'id' | 'email'>,
  { projectId, from, to }: Difference,
): AuditEntry {
  const kind = from === undefined ? 'member_added' : to === undefined ? 'member_removed' : 'role_changed';
  return {
    kind,
    by: openIdConnect,
    adminId: id,
    subject: id,
    projectId,
    changes: { role: { from: from ?? null, to: to ?? null } },
    details: { email: maskEmail(vault.open(email, emailContext)) },
  };
}
