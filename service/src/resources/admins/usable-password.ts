import type { Service } from '../service.js';
import type { AdminRow } from './admins-queries.js';
import { isLinked } from './identities-queries.js';
import { usesPassword } from './sign-in-options.js';

/** Returns the hash of an account's password; undefined if there is no such account, or if it signs in without one. */
export async function usablePasswordHash(
  { db, signIn }: Service,
  email: string | undefined,
  admin: AdminRow | undefined,
): Promise<string | undefined> {
  if (email === undefined || !admin) return undefined;
  return usesPassword(signIn, { email, isLinked: await isLinked(db, admin.id) }) ? admin.password_hash : undefined;
}
