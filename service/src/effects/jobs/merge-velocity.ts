import { mergeCounts } from '../../recognition/velocity/queries.js';
import { mergeablePeriods, startOf } from '../../recognition/velocity/rules/slots.js';
import { readWorlds } from '../../resources/projects/worlds.js';
import type { Service } from '../../resources/service.js';
import { repeatUntilDone } from './repeat.js';
import { removeOldVelocity } from './retention-queries.js';

/**
 * Merges the counts of busy subjects, so that few rows are read for each evaluation, and deletes counts that no window
 * covers any more, after 24 to 25 hours.
 */
export async function mergeVelocity({ db, now }: Service): Promise<void> {
  const at = now();
  for (const { worldId } of await readWorlds(db)) {
    await repeatUntilDone((limit) => removeOldVelocity(db, worldId, { before: startOf('day', at), limit }));
    for (const period of mergeablePeriods(at)) {
      await db.transaction().execute((trx) => mergeCounts(trx, worldId, period));
    }
  }
}
