import { countActivity } from '../../evaluation/queries/activity.js';
import { reasons } from '../../evaluation/rules/vocabulary.js';
import type { Service } from '../../service.js';
import { type Overview, overviewOf, periodOf } from './rules.js';

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
