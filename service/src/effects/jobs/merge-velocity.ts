import { mergeCounts } from '../../recognition/velocity/queries.js';
import { mergeableHour, startOf } from '../../recognition/velocity/rules/slots.js';
import { readWorlds } from '../../resources/projects/worlds.js';
import type { Service } from '../../resources/service.js';
import { repeatUntilDone } from './repeat.js';
import { removeOldBatches, removeOldVelocity } from './retention-queries.js';

/**
 * Merges the counts of busy subjects, so that few rows are read for each evaluation, and deletes counts that no window
 * covers any more, after 24 to 25 hours, and the batches of processes that have ended.
 */
export async function mergeVelocity({ db, now }: Service): Promise<void> {
  const at = now();
  for (const { worldId } of await readWorlds(db)) {
    await repeatUntilDone((limit) => removeOldVelocity(db, worldId, { before: startOf('day', at), limit }));
    await repeatUntilDone((limit) => removeOldBatches(db, worldId, { before: startOf('day', at), limit }));
    const hour = mergeableHour(at);
    if (hour) await db.transaction().execute((trx) => mergeCounts(trx, worldId, hour));
  }
}
