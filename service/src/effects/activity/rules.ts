import type { ChallengeStatus, Reason, Verdict } from 'whorl/wire';
import { daySeconds, hourSeconds } from '../../ground/time.js';

/** Periods of the overview, each divided into columns of whole hours, in UTC. */
export const periods = {
  '24h': { title: '24 hours', columns: 24, columnSeconds: hourSeconds },
  '7d': { title: '7 days', columns: 28, columnSeconds: 6 * hourSeconds },
  '30d': { title: '30 days', columns: 30, columnSeconds: daySeconds },
  '90d': { title: '90 days', columns: 90, columnSeconds: daySeconds },
} as const;
export type PeriodName = keyof typeof periods;
export const periodNames = ['24h', '7d', '30d', '90d'] as const satisfies readonly PeriodName[];

/** Period that ends now. `starts` contains the start of each column, oldest first; the last column is incomplete. */
export interface Period {
  readonly name: PeriodName;
  readonly columnSeconds: number;
  readonly starts: readonly [Date, ...Date[]];
}

/** Returns the period with this name, or the shortest if there is none. */
export function periodOf(name: string | null, now: Date): Period {
  const known = periodNames.find((one) => one === name) ?? '24h';
  const { columns, columnSeconds } = periods[known];
  const columnMs = columnSeconds * 1000;
  const running = Math.floor(now.getTime() / columnMs) * columnMs;
  const startOf = (column: number) => new Date(running - (columns - 1 - column) * columnMs);
  const others = Array.from({ length: columns - 1 }, (_, at) => startOf(at + 1));
  return { name: known, columnSeconds, starts: [startOf(0), ...others] };
}

/** Returns the period of the same length before this one, with its exclusive end: a full hour. */
export function periodBefore({ name, columnSeconds, starts }: Period, now: Date): Period & { readonly to: Date } {
  const lengthMs = starts.length * columnSeconds * 1000;
  const earlier = (start: Date) => new Date(start.getTime() - lengthMs);
  const [first, ...others] = starts;
  const hour = hourSeconds * 1000;
  const to = new Date(Math.round((now.getTime() - lengthMs) / hour) * hour);
  return { name, columnSeconds, starts: [earlier(first), ...others.map(earlier)], to };
}

/** Each duration class is a tenth wider than the one before: precise enough to read, with few classes to count. */
const growth = 1.1;

/**
 * Natural logarithm of the growth, used by the database to compute a duration's class: `floor(ln(seconds) /
 * classWidth)`.
 */
export const classWidth = Math.log(growth);

/**
 * Returns the median of durations that are counted by class, in seconds, to within 5%. Returns undefined if there are
 * none.
 *
 * @param counts Number of durations by class.
 */
export function medianSeconds(counts: ReadonlyMap<number, number>): number | undefined {
  const sorted = [...counts].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let before = 0;
  for (const [name, count] of sorted) {
    before += count;
    if (before * 2 >= total) return growth ** (name + 0.5);
  }
  return undefined;
}

/** Number of occurrences in one column of a period. */
export interface Counted {
  readonly at: Date;
  readonly kind: string;
  readonly label: string;
  readonly count: number;
}

/** Counts of one label over the columns of a period. */
export interface Series<Label extends string = string> {
  readonly label: Label;
  readonly counts: readonly number[];
  readonly total: number;
}

/** All verdicts, from the mildest to the strictest. */
export const verdicts = [
  'allow',
  'challenge',
  'restrict',
  'challenge_and_restrict',
  'deny',
] as const satisfies Verdict[];
const outcomes = ['completed', 'skipped', 'expired', 'pending'] as const satisfies ChallengeStatus[];
/** Events about account sharing. */
export const sharingEvents = ['account_sharing.signal', 'account_sharing.admin_notified', 'user.converted'] as const;

export interface Overview {
  readonly period: Period;
  /** Without failed attempts. */
  readonly evaluations: number;
  readonly failedAttempts: number;
  readonly verdicts: readonly Series<Verdict>[];
  /** Verdicts that observe mode withheld. Empty if there are none. */
  readonly observed: readonly Series<Verdict>[];
  /** What these would have been with the other value of `judge_by`. Empty if there are none. */
  readonly alternative: readonly Series<Verdict>[];
  /** Reasons that occurred, most frequent first. */
  readonly reasons: readonly Series<Reason>[];
  readonly challenges: number;
  readonly outcomes: readonly Series<ChallengeStatus>[];
  /** Share of closed challenges that were completed, from 0 to 1. Undefined if none is closed. */
  readonly completedShare: number | undefined;
  /** Median time from creation to completion, in seconds. Undefined if none was completed. */
  readonly medianSeconds: number | undefined;
  readonly sharing: readonly Series<(typeof sharingEvents)[number]>[];
  /** Evaluations by risk score, in steps of `scoreStep`, the lowest first. Empty if none has a score. */
  readonly scores: readonly Total[];
  /** Evaluations by country code, most frequent first. */
  readonly countries: readonly Total[];
  /** Evaluations by ASN, followed by a space and the organisation if it is known, most frequent first. */
  readonly networks: readonly Total[];
}

/** Width of the steps in which risk scores are counted. */
export const scoreStep = 10;

/** Count of one label in a whole period. */
export type Total = Pick<Series, 'label' | 'total'>;

/** Builds the overview from counts. */
export function overviewOf(period: Period, counted: readonly Counted[], reasons: readonly Reason[]): Overview {
  const series = <Label extends string>(kind: string, labels: readonly Label[]) =>
    labels.map((label) => seriesOf(period, counted, kind, label));
  const returned = series('verdict', verdicts);
  const observed = series('observed', verdicts);
  const alternative = series('alternative', verdicts);
  const challenges = series('challenge', outcomes);
  const occurring = series('reason', reasons).filter(({ total }) => total > 0);
  const open = challenges.find(({ label }) => label === 'pending')?.total ?? 0;
  const completed = challenges.find(({ label }) => label === 'completed')?.total ?? 0;
  const closed = sum(challenges.map(({ total }) => total)) - open;
  return {
    period,
    evaluations: sum(returned.map(({ total }) => total)),
    failedAttempts: sum(series('failure', verdicts).map(({ total }) => total)),
    verdicts: returned,
    observed: observed.some(({ total }) => total > 0) ? observed : [],
    alternative: alternative.some(({ total }) => total > 0) ? alternative : [],
    reasons: occurring.sort((one, other) => other.total - one.total),
    challenges: closed + open,
    outcomes: challenges,
    completedShare: closed === 0 ? undefined : completed / closed,
    medianSeconds: medianSeconds(completionTimes(counted)),
    sharing: series('event', sharingEvents),
    scores: scoresOf(totalsOf(counted, 'score')),
    countries: mostFrequent(totalsOf(counted, 'country')),
    networks: mostFrequent(totalsOf(counted, 'network')),
  };
}

/** Returns the counts of one label in each column of a period. */
export function seriesOf<Label extends string>(
  { starts, columnSeconds }: Period,
  counted: readonly Counted[],
  kind: string,
  label: Label,
): Series<Label> {
  const counts = starts.map(() => 0);
  for (const one of counted) {
    if (one.kind !== kind || one.label !== label) continue;
    const column = Math.floor((one.at.getTime() - starts[0].getTime()) / (columnSeconds * 1000));
    const before = counts[column];
    if (before !== undefined) counts[column] = before + one.count;
  }
  return { label, counts, total: sum(counts) };
}

function totalsOf(counted: readonly Counted[], kind: string): Map<string, number> {
  const totals = new Map<string, number>();
  for (const one of counted) {
    if (one.kind === kind) totals.set(one.label, (totals.get(one.label) ?? 0) + one.count);
  }
  return totals;
}

function scoresOf(totals: ReadonlyMap<string, number>): Total[] {
  if (totals.size === 0) return [];
  return Array.from({ length: 100 / scoreStep }, (_, at) => {
    const label = String(at * scoreStep);
    return { label, total: totals.get(label) ?? 0 };
  });
}

function mostFrequent(totals: ReadonlyMap<string, number>): Total[] {
  const all = [...totals].map(([label, total]) => ({ label, total }));
  return all.sort((one, other) => other.total - one.total || one.label.localeCompare(other.label));
}

function completionTimes(counted: readonly Counted[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const { kind, label, count } of counted) {
    if (kind === 'completion') times.set(Number(label), (times.get(Number(label)) ?? 0) + count);
  }
  return times;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Returns the first `max` series, and the sum of all others as one series. */
export function largest(series: readonly Series[], max: number): Series[] {
  const others = series.slice(max);
  if (others.length <= 1) return [...series];
  const counts = (others[0]?.counts ?? []).map((_, at) => sum(others.map((one) => one.counts[at] ?? 0)));
  return [...series.slice(0, max), { label: 'others', counts, total: sum(counts) }];
}
