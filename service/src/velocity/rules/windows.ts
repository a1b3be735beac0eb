import { type Counts, noCounts, type SubjectCounts, type Window } from './counts.js';
import { estimateDistinct } from './distinct.js';

/** Bits of the occupied cells, as text; null if there are none. */
export type Cells = string | null;

/** Counts of one subject in the part of a window that no shorter window covers. */
export interface PartialCounts {
  readonly window: Window;
  readonly evaluations: number;
  readonly failures: number;
  readonly signups: number;
  readonly users: Cells;
  readonly failedUsers: Cells;
  readonly devices: Cells;
  readonly countries: Cells;
}

/** Windows that are part of each window. */
const parts: Readonly<Record<Window, readonly Window[]>> = {
  fiveMinutes: ['fiveMinutes'],
  hour: ['fiveMinutes', 'hour'],
  day: ['fiveMinutes', 'hour', 'day'],
};

/** Returns the counts of one subject in each window. */
export function addUp(rows: readonly PartialCounts[]): SubjectCounts {
  if (rows.length === 0) return noCounts;
  const within = (window: Window) => countsOf(rows.filter((row) => parts[window].includes(row.window)));
  return { fiveMinutes: within('fiveMinutes'), hour: within('hour'), day: within('day') };
}

function countsOf(rows: readonly PartialCounts[]): Counts {
  const sum = (name: 'evaluations' | 'failures' | 'signups') => rows.reduce((total, row) => total + row[name], 0);
  const occupied = (name: 'users' | 'failedUsers' | 'devices' | 'countries') =>
    occupiedIn(rows.map((row) => row[name]));
  return {
    evaluations: sum('evaluations'),
    failures: sum('failures'),
    signups: sum('signups'),
    users: estimateDistinct(occupied('users')),
    failedUsers: estimateDistinct(occupied('failedUsers')),
    devices: estimateDistinct(occupied('devices')),
    countries: occupied('countries'),
  };
}

/** Returns the number of cells that are occupied in any of several texts. */
function occupiedIn(all: readonly Cells[]): number {
  const present = all.filter((each) => each !== null);
  const [first, ...others] = present;
  if (first === undefined) return 0;
  let count = 0;
  for (let cell = 0; cell < first.length; cell++) {
    if (first[cell] === '1' || others.some((other) => other[cell] === '1')) count += 1;
  }
  return count;
}
