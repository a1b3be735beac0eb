import type { LookAlikes } from './fitting.js';
import { confidenceOf, isSameHardware, type Pair } from './scoring.js';

/** Scores of pairs in ascending order. `order`: their places in the list of all pairs, those of one device first. */
interface SortedScores {
  readonly bits: Float64Array;
  readonly order: Uint32Array;
  /** Number of pairs of one device. */
  readonly same: number;
}

export function sortScores(same: readonly number[], different: readonly number[]): SortedScores {
  const scores = Float64Array.from([...same, ...different]);
  const order = Uint32Array.from(scores.keys()).sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0));
  return { bits: Float64Array.from(order, (at) => scores[at] ?? 0), order, same: same.length };
}

export interface EqualErrorRate {
  readonly rate: number;
  /** Threshold at which both kinds of error are equally frequent. */
  readonly bits: number;
}

/**
 * Returns the rate at which both kinds of error are equally frequent, and the threshold for it. `weights` says how much
 * each pair counts. Default: equally.
 */
export function equalErrorRate({ bits, order, same }: SortedScores, weights?: Float64Array): EqualErrorRate {
  const weightOf = (pair: number) => (weights ? (weights[pair] ?? 0) : 1);
  let allSame = 0;
  let allDifferent = 0;
  for (let pair = 0; pair < order.length; pair++) {
    if (pair < same) allSame += weightOf(pair);
    else allDifferent += weightOf(pair);
  }
  let missed = 0;
  let merged = allDifferent;
  let best = { gap: Infinity, rate: Number.NaN, bits: Number.NaN };
  for (let at = 0; at < order.length; at++) {
    const pair = order[at] ?? 0;
    if (pair < same) missed += weightOf(pair);
    else merged -= weightOf(pair);
    // Equal scores fall on the same side of a threshold.
    if (bits[at + 1] === bits[at]) continue;
    const rates = [missed / allSame, merged / allDifferent] as const;
    const gap = Math.abs(rates[0] - rates[1]);
    if (gap < best.gap) best = { gap, rate: (rates[0] + rates[1]) / 2, bits: bits[at] ?? 0 };
  }
  return { rate: best.rate, bits: best.bits };
}

/** A pair with how much it counts (default 1) and the devices that it is from. */
type JudgedPair = Pair & { readonly weight?: number; readonly devices?: readonly number[] };

interface Method {
  readonly name: string;
  readonly prior: number;
  score(a: Pair['a'], b: Pair['b'], days: number): number;
}

export interface ReliabilityInput {
  readonly methods: readonly Method[];
  readonly same: readonly JudgedPair[];
  readonly different: readonly JudgedPair[];
  readonly lookAlikes: LookAlikes<JudgedPair>;
}

export interface ReliabilityBin {
  readonly name: string;
  /** Mean confidence of the pairs. */
  readonly confidence: number;
  /** How often they were of one device. */
  readonly oneDevice: number;
  readonly pairs: number;
  /** Number of distinct devices. */
  readonly devices: number;
}

/**
 * Returns how often pairs with a given confidence come from one device, by tenths of confidence, for each prior. Pairs
 * are weighted so that the ratio of one device to two matches the prior. Pairs with equal hardware are sampled more
 * often and have a lower weight.
 */
export function reliability({ methods, same, different, lookAlikes }: ReliabilityInput): ReliabilityBin[] {
  const far = different.filter((pair) => !isSameHardware(pair));
  return methods.flatMap(({ name, prior, score }) => {
    const bins = Array.from({ length: 10 }, () => ({
      confidence: 0,
      truth: 0,
      weight: 0,
      pairs: 0,
      devices: new Set<number>(),
    }));
    const add = (pairs: readonly JudgedPair[], share: number, truth: number) => {
      const total = pairs.reduce((sum, { weight = 1 }) => sum + weight, 0);
      for (const { a, b, days, weight = 1, devices = [] } of pairs) {
        const confidence = confidenceOf(score(a, b, days), prior);
        const bin = bins[Math.min(9, Math.floor(confidence * 10))];
        if (!bin) continue;
        const counted = (weight * share) / total;
        bin.confidence += confidence * counted;
        bin.truth += truth * counted;
        bin.weight += counted;
        bin.pairs++;
        for (const device of devices) bin.devices.add(device);
      }
    };
    add(same, prior, 1);
    add(lookAlikes.pairs, lookAlikes.share, 0);
    add(far, 1 - lookAlikes.share, 0);
    return bins
      .filter(({ pairs }) => pairs >= 20)
      .map(({ confidence, truth, weight, pairs, devices }) => ({
        name,
        pairs,
        devices: devices.size,
        confidence: confidence / weight,
        oneDevice: truth / weight,
      }));
  });
}
