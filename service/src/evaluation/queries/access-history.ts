import { sql } from 'kysely';
import { validate as isUuid } from 'uuid';
import type { Outcome } from 'whorl/wire';
import { type PageOfRows, type PageRequest, type Period, readPage } from '../../ground/db/paging.js';
import type { Database } from '../../resources/service.js';
import type { EvaluationRow } from './evaluations.js';

export interface AccessFilter extends Period {
  /** The service's ID of a user. */
  readonly userId?: string | undefined;
  /**
   * The customer's ID of a user that is not stored, but may have denied accesses and failed attempts, and its blind
   * indexes.
   */
  readonly name?: { readonly externalUser: string; readonly indexes: readonly Uint8Array[] } | undefined;
  readonly deviceId?: string | undefined;
  readonly outcome: Outcome;
}

/** Returns a world's evaluations, newest first. A claimed evaluation is included once it has been consumed. */
export async function listAccessRows(
  db: Database,
  worldId: string,
  { start, end, userId, name, deviceId, outcome, ...page }: PageRequest & AccessFilter,
): Promise<PageOfRows<EvaluationRow>> {
  let matching = db.selectFrom('evaluations').where('world_id', '=', worldId).where('outcome', '=', outcome);
  if (start) matching = matching.where('created_at', '>=', start);
  if (end) matching = matching.where('created_at', '<=', end);
  if (userId !== undefined) matching = matching.where('user_id', '=', userId);
  if (name) {
    matching = matching
      .where('user_id', 'is', null)
      .where((where) =>
        where.or([where('external_user', '=', name.externalUser), where('user_index', 'in', [...name.indexes])]),
      );
  }
  if (deviceId !== undefined) {
    if (!isUuid(deviceId)) return { rows: [], total: 0 };
    // Includes devices that were merged into this one.
    matching = matching.where(
      sql<boolean>`device_id = any(array(
        select id from devices where world_id = ${worldId} and merged_into = ${deviceId} union all select ${deviceId}::uuid
      ))`,
    );
  }
  return readPage(matching, page);
}
