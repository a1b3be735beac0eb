import { claimLifetimeMs } from '../../evaluation/claims/create.js';
import type { ActivitySource } from '../../ground/db/schema/index.js';
import { minuteMs } from '../../ground/time.js';
import { readWorlds } from '../../resources/projects/worlds.js';
import type { Service } from '../../resources/service.js';
import { activitySources, deleteActivity, foldActivity, oldestOpenChallenge } from '../activity/queries.js';

/** By then every row is committed, allowing for slow requests and for clocks that differ between processes. */
const openMs = 10 * minuteMs;
/** Limits how long the embedded database is busy. */
const batchSize = 20_000;

/**
 * Adds new activity to the hourly counts that the dashboard shows. Evaluations do not update the counts themselves,
 * because all of them would then wait for the same few rows.
 */
export async function foldAllActivity(service: Service): Promise<void> {
  for (const { worldId } of await readWorlds(service.db)) {
    for (const source of activitySources) {
      const before = await settledBefore(service, worldId, source);
      const fold = () =>
        service.db
          .transaction()
          .execute((trx) => foldActivity(trx, worldId, source, { before, limit: batchSize, now: service.now() }));
      while (await fold());
    }
  }
}

/** Recounts all activity, for use after rows were written while the clock was set back. */
export async function recountActivity(service: Service): Promise<void> {
  for (const { worldId } of await readWorlds(service.db)) {
    await service.db.transaction().execute((trx) => deleteActivity(trx, worldId));
  }
  await foldAllActivity(service);
}

/**
 * Returns the time before which activity can be counted. Challenges are counted by outcome, so counting stops before
 * the oldest open one. A claim can still become a challenge for a day.
 */
async function settledBefore({ db, now }: Service, worldId: string, source: ActivitySource): Promise<Date> {
  const mayComeFromClaims = source === 'challenges';
  const complete = new Date(now().getTime() - openMs - (mayComeFromClaims ? claimLifetimeMs : 0));
  const open = mayComeFromClaims ? await oldestOpenChallenge(db, worldId) : undefined;
  return open !== undefined && open < complete ? open : complete;
}
