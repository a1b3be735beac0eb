import type { Verdict } from 'whorl/wire';
import type { Counted } from './rules.js';

/** What is compared with the same hour of earlier weeks. */
const watchedRates = ['evaluations', 'challenges', 'denials', 'failures'] as const;
export type WatchedRate = (typeof watchedRates)[number];

/** Weeks with which an hour is compared, and how many of them a project must have. */
export const comparedWeeks = 6;
const minWeeks = 3;
/** Robust standard deviations from the median. */
const unusualDeviations = 5;
/** A smaller difference is never unusual. */
const minDifference = 20;
/** Ratio of a normal distribution's standard deviation to its median absolute deviation. */
const normalRatio = 1.4826;

export interface UnusualRate {
  readonly rate: WatchedRate;
  readonly count: number;
  /** Median of the same hour in earlier weeks. */
  readonly usual: number;
}

const verdictsOf: Readonly<Partial<Record<WatchedRate, readonly Verdict[]>>> = {
  challenges: ['challenge', 'challenge_and_restrict'],
  denials: ['deny'],
};

/** Returns the count of a rate. */
function countOf(rate: WatchedRate, counted: readonly Counted[]): number {
  const labels: readonly string[] | undefined = verdictsOf[rate];
  const kind = rate === 'failures' ? 'failure' : 'verdict';
  return counted
    .filter((one) => one.kind === kind && (labels === undefined || labels.includes(one.label)))
    .reduce((total, { count }) => total + count, 0);
}

/**
 * Returns the rates of an hour that are far from the same hour of earlier weeks, by the median and the median absolute
 * deviation. The deviation is at least that of a Poisson distribution.
 */
export function unusualRates(hour: readonly Counted[], earlier: readonly (readonly Counted[])[]): UnusualRate[] {
  if (earlier.length < minWeeks) return [];
  return watchedRates.flatMap((rate): UnusualRate[] => {
    const count = countOf(rate, hour);
    const before = earlier.map((week) => countOf(rate, week));
    const usual = median(before);
    const spread = normalRatio * median(before.map((one) => Math.abs(one - usual)));
    const deviation = Math.max(spread, Math.sqrt(Math.max(usual, 1)));
    const difference = Math.abs(count - usual);
    const isUnusual = difference >= minDifference && difference > unusualDeviations * deviation;
    return isUnusual ? [{ rate, count, usual }] : [];
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
