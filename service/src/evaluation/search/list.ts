import type { CursorPage, EvaluationRecord } from 'whorl/wire';
import { parsePosition, partOf, printPosition, start } from '../../ground/db/position-rules.js';
import type { Caller, Service } from '../../resources/service.js';
import { toEvaluationRecord } from '../present.js';
import { findEvaluations } from '../queries/evaluations.js';
import { type EvaluationQuery, searchEvaluations } from './search.js';

/**
 * Returns recorded evaluations that match all filters, newest first, and where the next page begins
 * (`GET /v2/evaluations`). Claims that were not taken up are not included.
 */
export async function listEvaluations(
  service: Service,
  caller: Caller,
  query: EvaluationQuery,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<CursorPage<EvaluationRecord>> {
  const from = (cursor === undefined ? undefined : parsePosition(cursor)) ?? start;
  const { rows: found, stoppedAt } = await searchEvaluations(service, caller, query, { from, limit: limit + 1 });
  const { rows, next = stoppedAt } = partOf(found, ({ id, created_at }) => ({ at: created_at, id }), limit);
  const ids = rows.map(({ id }) => id);
  const data = (await findEvaluations(service.db, caller.worldId, ids)).map((row) => toEvaluationRecord(service, row));
  return { data, ...(next && { next_cursor: printPosition(next) }) };
}
