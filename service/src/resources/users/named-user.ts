import type { Database } from '../service.js';
import { findUserByExternalId } from './queries/users.js';

/**
 * Returns the service's ID of the user that the filters `user` and `user_id` name. Undefined if they are not set; null if
 * no user matches both.
 */
export async function namedUser(
  db: Database,
  worldId: string,
  { user, user_id }: { readonly user?: string | undefined; readonly user_id?: string | undefined },
): Promise<string | undefined | null> {
  if (user === undefined) return user_id;
  const id = (await findUserByExternalId(db, worldId, user))?.id ?? null;
  return user_id === undefined || user_id === id ? id : null;
}
