import type { Period } from '../../../ground/db/paging.js';
import type { Position } from '../../../ground/db/position-rules.js';
import type { Scan } from '../../../ground/db/scan-queries.js';
import { firstIdAt } from '../../../ground/ids.js';
import { dayMs, hourMs } from '../../../ground/time.js';
import type { Caller, Service } from '../../service.js';
import { namedUser } from '../named-user.js';
import type { UserRow } from '../queries/users.js';
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
  const userId = await namedUser(db, worldId, { user, user_id: filter.user_id });
  if (userId === null) return { rows: [] };
  return scanUsers(db, {
    worldId,
    since,
    until,
    limit,
    from: until ? startAt(until, from) : from,
    sinceId: since && firstIdAt(new Date(since.getTime() - maxIdAgeMs)),
    filter: { ...filter, user_id: userId },
    emailIndexes: email === undefined ? undefined : vault.blindIndexes(email, 'user.email'),
    phoneIndexes: phone === undefined ? undefined : vault.blindIndexes(phone, 'user.phone'),
  });
}

/** IDs of users are reserved by claims, which are kept for a day, and can so be older than the user's time. */
const maxIdAgeMs = 2 * dayMs;

/** Returns the later of two positions. The ID of a user can be a little newer than the user's time. */
function startAt(until: Date, from: Position): Position {
  const first = firstIdAt(new Date(until.getTime() + hourMs));
  return first < from.id ? { at: until, id: first } : from;
}
