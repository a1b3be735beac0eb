import type { ChallengeSummary, Page } from 'whorl/wire';
import type { PageRequest, Period } from '../db/paging.js';
import type { Caller, Service } from '../service.js';
import { findUsersByIds } from '../users/queries/users.js';
import { listChallengeRows } from './queries.js';
import { toChallengeSummary } from './views.js';

/**
 * Lists the challenges of the caller's world, newest first (docs/api.md). The challenge of a claim is among them
 * once it was taken up.
 */
export async function listChallenges(
  service: Service,
  { worldId }: Caller,
  query: PageRequest & Period,
): Promise<Page<ChallengeSummary>> {
  const { page, limit } = query;
  const { rows, total } = await listChallengeRows(service.db, worldId, query);
  const users = await findUsersByIds(service.db, worldId, [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]);
  const userOf = new Map(users.map((user) => [user.id, user]));
  const data = rows.flatMap((row) => {
    // A user may be erased between the two queries.
    const user = row.user_id === null ? undefined : userOf.get(row.user_id);
    return user ? [toChallengeSummary(service, row, user)] : [];
  });
  return { data, page, limit, total };
}
