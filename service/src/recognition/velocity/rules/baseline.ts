import { dayMs, hourMs } from '../../../ground/time.js';

/** A campaign causes at least this many times the failures that are usual. */
const ratio = 4;
/** Higher: fewer false alarms, and later alarms. A logarithm of a likelihood ratio. */
const limit = 14;
const maxExcess = limit * 1.5;
const halfLifeHours = 14 * 24;
/** Half-life of a baseline that was just started. */
const newHalfLifeHours = 48;
/** Usual number of unfamiliar failures per hour of a project without history. */
const leastPerHour = 0.05;
/** During this time, most users are new to the service, and their failures unfamiliar. */
const learningMs = 7 * dayMs;
const recentMs = 10_000;
/** Failures of a name that nobody has cost an attacker nothing, so they weigh less than those of a user. */
const unknownNameWeight = 0.25;
/** Failures from one network that count while the excess lasts. */
const mostPerNetwork = 2;
/** Fewer networks are no campaign, however many failures come from them. */
const leastNetworks = 8;
const rememberedNetworks = 256;

/** An unfamiliar failure, as it counts for the project. */
export interface UnfamiliarFailure {
  readonly userExists: boolean;
  /** Hash of the network that it comes from; the same for all failures without an address. */
  readonly network: number;
}

/** A project's usual number of unfamiliar failures, and by how much the latest exceed it. */
export interface Baseline {
  /** Time of the first unfamiliar failure. */
  readonly startedAt: Date;
  /** Time of the last one. */
  readonly updatedAt: Date;
  readonly perHour: number;
  /** Cumulative sum of the log-likelihood ratio between a campaign and the usual rate, never below 0. */
  readonly excess: number;
  /** Time since which the excess has not been 0, and the number of unfamiliar failures since then. */
  readonly risingSince: Date;
  readonly failures: number;
  /** Networks of these failures, in order of time and at most 256. */
  readonly networks: readonly number[];
}

/**
 * Returns the baseline after one more unfamiliar failure. A cumulative sum (Page 1954) compares the failures with the usual
 * rate, which adapts: weights halve in two weeks, and faster while the baseline is new. A campaign counts for at most
 * `ratio` times the usual rate, so that it does not become usual, and a wrong rate still adapts.
 */
export function observeFailure(before: Baseline | undefined, failure: UnfamiliarFailure, now: Date): Baseline {
  const weight = failure.userExists ? 1 : unknownNameWeight;
  const first = { risingSince: now, failures: 1, networks: [failure.network] };
  if (!before) {
    const excess = excessOf(0, { weight, usual: leastPerHour, hours: 1 });
    return { startedAt: now, updatedAt: now, perHour: leastPerHour, excess, ...first };
  }
  const hours = hoursBetween(before.updatedAt, now);
  const { perHour: usual, startedAt } = before;
  const halfLife = Math.min(halfLifeHours, Math.max(newHalfLifeHours, hoursBetween(startedAt, now) / 2));
  const learned = Math.min(weight, ratio * usual * hours);
  return {
    startedAt,
    updatedAt: new Date(Math.max(now.getTime(), before.updatedAt.getTime())),
    perHour: Math.max(leastPerHour, usual * 2 ** (-hours / halfLife) + (Math.LN2 / halfLife) * learned),
    excess: excessOf(before.excess, { weight, usual, hours }),
    ...(excessAt(before, now) > 0
      ? {
          risingSince: before.risingSince,
          failures: before.failures + 1,
          networks: [...before.networks, failure.network].slice(-rememberedNetworks),
        }
      : first),
  };
}

/** Returns whether the failures of the project are a campaign: far more than usual, and from several networks. */
export function isCampaign(baseline: Baseline, now: Date): boolean {
  const isPastLearning = now.getTime() - baseline.startedAt.getTime() >= learningMs;
  return isPastLearning && excessAt(baseline, now) >= limit && new Set(baseline.networks).size >= leastNetworks;
}

/**
 * Returns whether a failure must not be observed: its network has counted enough, so that nobody makes a campaign alone;
 * or it would hardly change the baseline, because the excess is at its maximum and the last failure was moments ago. So
 * a campaign does not keep all its requests waiting for one row.
 */
export function isCountedEnough(baseline: Baseline, { network }: UnfamiliarFailure, now: Date): boolean {
  if (excessAt(baseline, now) === 0) return false;
  const counted = baseline.networks.filter((each) => each === network).length;
  const isAtMaximum = baseline.excess >= maxExcess && now.getTime() - baseline.updatedAt.getTime() < recentMs;
  return counted >= mostPerNetwork || isAtMaximum;
}

/** Returns the excess at a time without further failures. */
function excessAt({ excess, perHour, updatedAt }: Baseline, now: Date): number {
  return Math.max(0, excess - (ratio - 1) * perHour * hoursBetween(updatedAt, now));
}

interface Passed {
  /** Weight of the failure. */
  readonly weight: number;
  readonly usual: number;
  readonly hours: number;
}

function excessOf(before: number, { weight, usual, hours }: Passed): number {
  return Math.min(maxExcess, Math.max(0, before + weight * Math.log(ratio) - (ratio - 1) * usual * hours));
}

function hoursBetween(start: Date, end: Date): number {
  // Clocks of several processes differ.
  return Math.max(0, end.getTime() - start.getTime()) / hourMs;
}
