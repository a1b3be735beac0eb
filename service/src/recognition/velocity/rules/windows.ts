import { type Counts, noCounts, type SubjectCounts } from './counts.js';
import { estimateDistinct } from './distinct.js';

/** Counts of one subject in a window. Of distinct values, the number of occupied cells. */
export interface WindowCounts extends Counts {
  /** 0: 5 minutes, 1: an hour, 2: a day. */
  readonly part: number;
}

/** Returns the counts of one subject. A window that is absent has the counts of the next shorter one. */
export function toSubjectCounts(rows: readonly WindowCounts[]): SubjectCounts {
  const find = (part: number) => {
    const row = rows.find((each) => each.part === part);
    return row && toCounts(row);
  };
  const fiveMinutes = find(0) ?? noCounts.fiveMinutes;
  const hour = find(1) ?? fiveMinutes;
  return { fiveMinutes, hour, day: find(2) ?? hour };
}

function toCounts(row: WindowCounts): Counts {
  return {
    evaluations: row.evaluations,
    failures: row.failures,
    signups: row.signups,
    users: estimateDistinct(row.users),
    failedUsers: estimateDistinct(row.failedUsers),
    devices: estimateDistinct(row.devices),
    countries: row.countries,
  };
}
