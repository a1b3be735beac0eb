import { validate as isUuid } from 'uuid';
import { deleteUser } from '../../effects/erasure/delete.js';
import { exportUser } from '../../effects/export/export.js';
import { ApiError } from '../../ground/errors.js';
import { administrator, recordAudit } from '../../resources/audit/audit.js';
import type { Service } from '../../resources/service.js';
import { findUserById, type UserRow } from '../../resources/users/queries/users.js';
import type { Actor } from '../admin-actions.js';

/**
 * Returns all data about a user, and records in the audit log who read it.
 *
 * @throws {ApiError} `not_found`
 */
export async function exportForAdmin(service: Service, actor: Actor, id: string): Promise<Record<string, unknown>> {
  const user = await mustFindUser(service, actor, id);
  await record(service, actor, { kind: 'user_exported', userId: user.id });
  return exportUser(service, actor.caller, user.external_id);
}

/**
 * Erases a user as the API does, and records who did it, without saying who the user was.
 *
 * @throws {ApiError} `not_found`
 */
export async function eraseUser(service: Service, actor: Actor, id: string): Promise<void> {
  const user = await mustFindUser(service, actor, id);
  await deleteUser(service, actor.caller, user.external_id);
  await record(service, actor, { kind: 'user_erased' });
}

async function mustFindUser({ db }: Service, { caller }: Actor, id: string): Promise<UserRow> {
  const user = isUuid(id) ? await findUserById(db, caller.worldId, id) : undefined;
  if (!user) throw new ApiError('not_found', { detail: 'There is no user with this ID.' });
  return user;
}

async function record(
  service: Service,
  { caller, adminId }: Actor,
  done: { readonly kind: 'user_exported' | 'user_erased'; readonly userId?: string },
): Promise<void> {
  const by = administrator({ id: adminId });
  await recordAudit(service.db, service, { ...done, by, projectId: caller.project.id, mode: caller.mode });
}
