import { deleteUser } from '../effects/erasure/delete.js';
import { ApiError } from '../ground/errors.js';
import type { Caller, Service } from '../resources/service.js';

export interface ErasureCounts {
  readonly erased: number;
  /** Users that do not exist, for example because they are erased already. */
  readonly unknown: number;
}

/** Erases the users of a file with one identifier per line. Empty lines are skipped. */
export async function eraseUsers(
  service: Service,
  caller: Caller,
  lines: AsyncIterable<string>,
): Promise<ErasureCounts> {
  let erased = 0;
  let unknown = 0;
  for await (const line of lines) {
    // Spaces may be part of an identifier.
    const user = line.replace(/^\ufeff/, '');
    if (user.trim() === '') continue;
    if (await eraseUser(service, caller, user)) erased += 1;
    else unknown += 1;
  }
  return { erased, unknown };
}

/** Returns false if there is no such user. */
async function eraseUser(service: Service, caller: Caller, user: string): Promise<boolean> {
  try {
    await deleteUser(service, caller, user, {});
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false;
    throw error;
  }
}
