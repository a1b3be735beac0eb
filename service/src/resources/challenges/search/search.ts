import type { Period } from '../../../ground/db/paging.js';
import { lastId, type Position } from '../../../ground/db/position-rules.js';
import type { Scan } from '../../../ground/db/scan-queries.js';
import type { Caller, Service } from '../../service.js';
import { namedUser } from '../../users/named-user.js';
import { statusAt } from '../rules/states.js';
import { type ListedChallengeRow, scanChallenges } from './queries.js';
import type { ChallengeFilter } from './rules/filters.js';

export type ChallengeQuery = ChallengeFilter & Period;

/**
 * Returns challenges of a world that match all filters, newest first, with their current status. A filter that matches few
 * examines a limited number of them, and says where it stopped. Claims that were not consumed are not included.
 */
export async function findMatchingChallenges(
  { db, now }: Service,
  { worldId }: Caller,
  { start: since, end, user, ...filter }: ChallengeQuery,
  { from, limit }: { readonly from: Position; readonly limit: number },
): Promise<Scan<ListedChallengeRow>> {
  const userId = await namedUser(db, worldId, { user, user_id: filter.user_id });
  if (userId === null) return { rows: [] };
  const at = now();
  const { rows, ...scan } = await scanChallenges(db, {
    worldId,
    since,
    limit,
    now: at,
    from: end && end < from.at ? { at: end, id: lastId } : from,
    filter: { ...filter, user_id: userId },
  });
  return { ...scan, rows: rows.map((row) => ({ ...row, status: statusAt(row, at) })) };
}
