import type { Period } from '../../ground/db/paging.js';
import { lastId, type Position } from '../../ground/db/position-rules.js';
import type { Scan } from '../../ground/db/scan-queries.js';
import type { Caller, Service } from '../../resources/service.js';
import { findUserByExternalId } from '../../resources/users/queries/users.js';
import { nameIndexes } from '../normalised-request.js';
import { type ListedEvaluationRow, scanEvaluations } from './queries.js';
import type { EvaluationFilter } from './rules/filters.js';

export type EvaluationQuery = EvaluationFilter & Period;

/**
 * Returns evaluations of a world that match all filters, newest first. A filter that matches few evaluations examines a
 * limited number of them, and says where it stopped.
 */
export async function searchEvaluations(
  service: Service,
  { worldId }: Caller,
  { start, end, user, ...filter }: EvaluationQuery,
  { from, limit }: { readonly from: Position; readonly limit: number },
): Promise<Scan<ListedEvaluationRow>> {
  const first = end && end < from.at ? { at: end, id: lastId } : from;
  const search = { worldId, from: first, since: start, limit, now: service.now() };
  if (user === undefined) return scanEvaluations(service.db, { ...search, filter });
  const row = await findUserByExternalId(service.db, worldId, user);
  if (!row) {
    const unknownUser = { externalId: user, indexes: nameIndexes(service, worldId, user) };
    return scanEvaluations(service.db, { ...search, filter, unknownUser });
  }
  if (filter.user_id !== undefined && filter.user_id !== row.id) return { rows: [] };
  return scanEvaluations(service.db, { ...search, filter: { ...filter, user_id: row.id } });
}
