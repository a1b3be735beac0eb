import { validate as isUuid } from 'uuid';
import { findLinkedAccounts, type LinkedAccounts } from '../../recognition/linked-accounts/linked-accounts.js';
import type { Caller, Service } from '../../resources/service.js';
import { findUserById } from '../../resources/users/queries/users.js';

/** The accounts linked to a user, and the user's identifier. */
export interface ShownLinks {
  readonly name: string;
  readonly linked: LinkedAccounts;
}

/** Returns undefined if the world has no user with this ID. */
export async function showLinks(service: Service, caller: Caller, id: string): Promise<ShownLinks | undefined> {
  const user = isUuid(id) ? await findUserById(service.db, caller.worldId, id) : undefined;
  return user && { name: user.external_id, linked: await findLinkedAccounts(service, caller, user.id) };
}
