import { countActivity } from '../../effects/activity/queries.js';
import { type Overview, overviewOf, periodOf } from '../../effects/activity/rules.js';
import { reasons } from '../../ground/vocabulary.js';
import type { Service } from '../../resources/service.js';
import { type Arrivals, findArrivals } from './queries.js';

/** Reads the activity of a world in a period that ends now. Default: the shortest period. */
export async function readOverview(
  { db, now }: Service,
  worldId: string,
  periodName: string | null,
): Promise<Overview> {
  const at = now();
  const period = periodOf(periodName, at);
  const [from] = period.starts;
  const counted = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => countActivity(trx, worldId, { from, columnSeconds: period.columnSeconds, now: at }));
  return overviewOf(period, counted, reasons);
}

/** Returns whether a world has received its first evaluation. */
export function readArrivals({ db }: Service, worldId: string): Promise<Arrivals> {
  return findArrivals(db, worldId);
}
