import { validate as isUuid } from 'uuid';
import { deleteUser } from '../../effects/erasure/delete.js';
import { exportUser } from '../../effects/export/export.js';
import { ApiError } from '../../ground/errors.js';
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
  return exportUser(service, actor.caller, user.external_id, actor.origin);
}

/**
 * Erases a user as the API does, and records who did it, without saying who the user was.
 *
 * @throws {ApiError} `not_found`
 */
export async function eraseUser(service: Service, actor: Actor, id: string): Promise<void> {
  const user = await mustFindUser(service, actor, id);
  await deleteUser(service, actor.caller, user.external_id, actor.origin);
}

async function mustFindUser({ db }: Service, { caller }: Actor, id: string): Promise<UserRow> {
  const user = isUuid(id) ? await findUserById(db, caller.worldId, id) : undefined;
  if (!user) throw new ApiError('not_found', { detail: 'There is no user with this ID.' });
  return user;
}
