import { dayMs, hourMs } from '../../time.js';

/** A campaign causes at least this many times the failures that are usual. */
const ratio = 4;
/** Higher: fewer false alarms, and later alarms. A logarithm of a likelihood ratio. */
const limit = 14;
const maxExcess = limit * 1.5;
const halfLifeHours = 14 * 24;
/** Half-life of a baseline that was just started. */
const newHalfLifeHours = 48;
/** Usual number of strange failures per hour of a project without history. */
const leastPerHour = 0.05;
/** During this time, most users are new to the service, and their failures strange. */
const learningMs = 7 * dayMs;
const settledMs = 10_000;

/** A project's usual number of strange failures, and by how much the latest exceed it. */
export interface Baseline {
  /** Time of the first strange failure. */
  readonly startedAt: Date;
  /** Time of the last one. */
  readonly updatedAt: Date;
  readonly perHour: number;
  /** Cumulative sum of the log-likelihood ratio between a campaign and the usual rate, never below 0. */
  readonly excess: number;
  /** Time since which the excess has not been 0, and the number of strange failures since then. */
  readonly risingSince: Date;
  readonly failures: number;
}

/**
 * Returns the baseline after one more strange failure. A cumulative sum (Page 1954) compares the failures with the usual
 * rate, which adapts: weights halve in two weeks, and faster while the baseline is new. A campaign counts for at most
 * `ratio` times the usual rate, so that it does not become usual, and a wrong rate still adapts.
 */
export function observeFailure(before: Baseline | undefined, now: Date): Baseline {
  if (!before) {
    const at = { startedAt: now, updatedAt: now, risingSince: now };
    return { ...at, perHour: leastPerHour, excess: excessOf(0, leastPerHour, 1), failures: 1 };
  }
  const hours = hoursBetween(before.updatedAt, now);
  const { perHour: usual, startedAt } = before;
  const halfLife = Math.min(halfLifeHours, Math.max(newHalfLifeHours, hoursBetween(startedAt, now) / 2));
  const learned = Math.min(1, ratio * usual * hours);
  const isRising = excessAt(before, now) > 0;
  return {
    startedAt,
    updatedAt: new Date(Math.max(now.getTime(), before.updatedAt.getTime())),
    perHour: Math.max(leastPerHour, usual * 2 ** (-hours / halfLife) + (Math.LN2 / halfLife) * learned),
    excess: excessOf(before.excess, usual, hours),
    risingSince: isRising ? before.risingSince : now,
    failures: isRising ? before.failures + 1 : 1,
  };
}

/** Returns whether the failures of the project are a campaign. */
export function isCampaign(baseline: Baseline, now: Date): boolean {
  return now.getTime() - baseline.startedAt.getTime() >= learningMs && excessAt(baseline, now) >= limit;
}

/**
 * Returns whether a failure would hardly change the baseline: the excess is at its maximum, and the last failure was
 * moments ago. Such failures need not be observed, so that a campaign does not keep all its requests waiting for one row.
 */
export function isSettled(baseline: Baseline, now: Date): boolean {
  return baseline.excess >= maxExcess && now.getTime() - baseline.updatedAt.getTime() < settledMs;
}

/** Returns the excess at a time without further failures. */
function excessAt({ excess, perHour, updatedAt }: Baseline, now: Date): number {
  return Math.max(0, excess - (ratio - 1) * perHour * hoursBetween(updatedAt, now));
}

function excessOf(before: number, usual: number, hours: number): number {
  return Math.min(maxExcess, Math.max(0, before + Math.log(ratio) - (ratio - 1) * usual * hours));
}

function hoursBetween(start: Date, end: Date): number {
  // Clocks of several processes differ.
  return Math.max(0, end.getTime() - start.getTime()) / hourMs;
}
