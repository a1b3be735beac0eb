import { claimLifetimeMs } from '../claims/create.js';
import type { ActivitySource } from '../db/schema/index.js';
import { activitySources, foldActivity, forgetActivity, oldestOpenChallenge } from '../evaluation/queries/activity.js';
import type { Service } from '../service.js';
import { minuteMs } from '../time.js';
import { readWorlds } from './worlds.js';

/** A row is there by then, however long its request took, and whatever the clock of its process. */
const settledMs = 10 * minuteMs;
/** So that nobody waits long for the embedded database. */
const batchSize = 20_000;

/**
 * Adds what happened to the counts of hours that the dashboard shows. An evaluation makes no counts itself, which would
 * make all evaluations wait for a few rows.
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

/** Counts everything anew: for whoever has written rows by a clock that was put back. */
export async function recountActivity(service: Service): Promise<void> {
  await service.db.transaction().execute(forgetActivity);
  await foldAllActivity(service);
}

/**
 * Challenges are counted by how they ended, so those that are open wait, and with them the later ones. For a day one may
 * still come out of a claim.
 */
async function settledBefore({ db, now }: Service, worldId: string, source: ActivitySource): Promise<Date> {
  const isOfClaims = source === 'challenges';
  const settled = new Date(now().getTime() - settledMs - (isOfClaims ? claimLifetimeMs : 0));
  const open = isOfClaims ? await oldestOpenChallenge(db, worldId) : undefined;
  return open !== undefined && open < settled ? open : settled;
}
