import { OperatorError } from '../../ground/operator-error.js';
import { type Origin, recordAudit } from '../audit/audit.js';
import type { Database, Service } from '../service.js';
import { maskEmail } from '../users/rules/mask.js';
import { linkContext } from './links.js';
import type { MemberScope } from './members.js';
import { listInvitationRows, removeInvitation } from './members-queries.js';
import type { Role } from './permissions.js';

export interface OpenInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly projectId: string | undefined;
  readonly expiresAt: Date;
}

/** Returns the invitations that were not used yet, the one that expires first at the beginning. */
export async function listInvitations(
  service: Pick<Service, 'vault' | 'now'> & { readonly db: Database },
  scope: MemberScope,
): Promise<OpenInvitation[]> {
  const rows = await listInvitationRows(service.db, { projectId: scope, now: service.now() });
  return rows.flatMap(({ id, email, role, project_id, expires_at }) => {
    if (!email || !role) return [];
    const address = service.vault.open(email, linkContext);
    return [{ id, email: address, role, projectId: project_id ?? undefined, expiresAt: expires_at }];
  });
}

/** @throws OperatorError if there is no such invitation in this scope. */
export function revokeInvitation(service: Service, scope: MemberScope, id: string, origin: Origin): Promise<void> {
  return service.db.transaction().execute(async (trx) => {
    const removed = await removeInvitation(trx, { id, projectId: scope });
    if (!removed?.email) throw new OperatorError('This invitation does not exist. It may have been used or revoked.');
    const email = maskEmail(service.vault.open(removed.email, linkContext));
    await recordAudit(trx, service, {
      ...origin,
      kind: 'invitation_revoked',
      projectId: removed.project_id ?? undefined,
      details: { email, ...(removed.role && { role: removed.role }) },
    });
  });
}
