import { reasons } from 'whorl/wire';
import { countActivity } from '../../effects/activity/queries.js';
import { type Overview, overviewOf, periodBefore, periodOf } from '../../effects/activity/rules.js';
import { inSnapshot } from '../../ground/db/replica/snapshot.js';
import type { Service } from '../../resources/service.js';
import { type Arrivals, findArrivals } from './queries.js';

export type { Arrivals };

/** Activity in a period, and in the period before, which ends at the full hour nearest to the same time. */
export interface ComparedOverview extends Overview {
  readonly before: Overview;
}

/** Reads the activity of a world in a period that ends now. Default: the shortest period. */
export async function readOverview(
  { db, now }: Service,
  worldId: string,
  periodName: string | null,
): Promise<ComparedOverview> {
  const at = now();
  const period = periodOf(periodName, at);
  const before = periodBefore(period, at);
  const span = { columnSeconds: period.columnSeconds, now: at };
  const [counted, countedBefore] = await inSnapshot(db, async (trx) => [
    await countActivity(trx, worldId, { ...span, from: period.starts[0] }),
    await countActivity(trx, worldId, { ...span, from: before.starts[0], to: before.to }),
  ]);
  return { ...overviewOf(period, counted ?? [], reasons), before: overviewOf(before, countedBefore ?? [], reasons) };
}

/** Reads what a world has received so far. */
export function readArrivals({ db }: Service, worldId: string): Promise<Arrivals> {
  return findArrivals(db, worldId);
}
