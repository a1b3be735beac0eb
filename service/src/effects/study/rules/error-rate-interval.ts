import { type EqualErrorRate, equalErrorRate, sortScores } from './error-rates.js';
import { type Share, shareOf } from './figures.js';
import type { StudyPair, StudyPairs } from './pairs.js';
import type { Score } from './scoring.js';

/** Enough to estimate a standard deviation. */
const resamples = 30;

interface ErrorRateOptions {
  /** Number of browsers. */
  readonly count: number;
  readonly k: number;
  random(): number;
}

/** Returns the equal error rate, with an interval from drawing the browsers again (bootstrap). */
export function errorRate(
  { same, different }: Pick<StudyPairs, 'same' | 'different'>,
  score: Score,
  { count, k, random }: ErrorRateOptions,
): { readonly share: Share; readonly bits: number } | null {
  if (different.length === 0) return null;
  const bitsOf = ({ a, b, days }: StudyPair) => score(a, b, days);
  const sorted = sortScores(same.map(bitsOf), different.map(bitsOf));
  const all = [...same, ...different];
  const ones = Uint32Array.from(all, ({ devices }) => devices[0]);
  const others = Uint32Array.from(all, ({ devices }) => devices[1]);
  const pairWeights = Float64Array.from(all, ({ weight }) => weight);
  const weights = new Float64Array(all.length);
  const rateOf = (times: Uint16Array): EqualErrorRate => {
    for (let pair = 0; pair < weights.length; pair++) {
      const [one, other] = [ones[pair] ?? 0, others[pair] ?? 0];
      weights[pair] = (pairWeights[pair] ?? 0) * (times[one] ?? 0) * (one === other ? 1 : (times[other] ?? 0));
    }
    return equalErrorRate(sorted, weights);
  };
  const { rate, bits } = rateOf(new Uint16Array(count).fill(1));
  const rates = Array.from({ length: resamples }, () => {
    const times = new Uint16Array(count);
    for (let draw = 0; draw < count; draw++) {
      const at = Math.floor(random() * count);
      times[at] = (times[at] ?? 0) + 1;
    }
    return rateOf(times).rate;
  });
  const mean = rates.reduce((sum, each) => sum + each, 0) / resamples;
  const variance = rates.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (resamples - 1);
  const half = 1.96 * Math.sqrt(variance);
  const interval = { low: Math.max(0, rate - half), high: Math.min(1, rate + half) };
  const share = shareOf(rate * count, count, k, interval);
  return share && { share, bits };
}
