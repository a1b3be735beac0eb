import { expireChallengeRows } from '../../resources/challenges/queries.js';
import { listWorldRows } from '../../resources/projects/queries/world-rows.js';
import type { Service } from '../../resources/service.js';

const batchSize = 500;

/**
 * Marks overdue challenges as expired; readers treat them as expired even before that. Their devices stay `pending`.
 * Any number of workers can do this at once.
 */
export async function expireChallenges({ db, now }: Service): Promise<void> {
  for (const { id } of await listWorldRows(db)) {
    while ((await expireChallengeRows(db, id, now(), batchSize)) === batchSize);
  }
}
