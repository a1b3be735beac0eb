import type { Period } from '../../../ground/db/paging.js';
import type { Position } from '../../../ground/db/position-rules.js';
import type { Scan } from '../../../ground/db/scan-queries.js';
import { firstIdAt } from '../../../ground/ids.js';
import { hourMs } from '../../../ground/time.js';
import type { Caller, Service } from '../../service.js';
import { findUserByExternalId, type UserRow } from '../queries/users.js';
import { scanUsers } from './queries.js';
import type { UserFilter } from './rules/filters.js';

export type UserQuery = UserFilter & Period;

/**
 * Returns users of a world that match all filters, newest first. A filter that matches few users examines a limited number
 * of them, and says where it stopped.
 */
export async function findMatchingUsers(
  { db, vault }: Service,
  { worldId }: Caller,
  { start: since, end: until, user, email, phone, ...filter }: UserQuery,
  { from, limit }: { readonly from: Position; readonly limit: number },
): Promise<Scan<UserRow>> {
  const found = user === undefined ? undefined : await findUserByExternalId(db, worldId, user);
  const userId = found?.id ?? filter.user_id;
  if (user !== undefined && (!found || userId !== (filter.user_id ?? userId))) return { rows: [] };
  return scanUsers(db, {
    ...{ worldId, since, until, limit },
    from: until ? startAt(until, from) : from,
    // The ID of a user is never older than the user's time.
    sinceId: since && firstIdAt(since),
    filter: { ...filter, user_id: userId },
    emailIndexes: email === undefined ? undefined : vault.blindIndexes(email, 'user.email'),
    phoneIndexes: phone === undefined ? undefined : vault.blindIndexes(phone, 'user.phone'),
  });
}

/** Returns the later of two positions. The ID of a user can be a little newer than the user's time. */
function startAt(until: Date, from: Position): Position {
  const first = firstIdAt(new Date(until.getTime() + hourMs));
  return first < from.id ? { at: until, id: first } : from;
}
