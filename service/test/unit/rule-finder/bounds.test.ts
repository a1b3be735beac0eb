import { expect, test } from 'vitest';
import {
  lowerBound,
  mostHits,
  peopleToShowCatch,
  peopleToShowHonest,
  upperBound,
} from '../../../src/effects/rule-finder/rules/bounds.js';

/** Returns the probability of at most so many hits, summed term by term. */
function atMost(hits: number, count: number, share: number): number {
  let term = (1 - share) ** count;
  let sum = term;
  for (let k = 1; k <= hits; k++) {
    term *= (((count - k + 1) / k) * share) / (1 - share);
    sum += term;
  }
  return sum;
}

test.each([
  [0, 10],
  [1, 10],
  [9, 10],
  [35, 40],
  [3, 600],
  [200, 400],
])('the bounds of %i of %i are where the tails are 2.5%%', (hits, count) => {
  expect(atMost(hits, count, upperBound(hits, count))).toBeCloseTo(0.025, 6);
  if (hits > 0) expect(1 - atMost(hits - 1, count, lowerBound(hits, count))).toBeCloseTo(0.025, 6);
});

test('bounds of extreme counts, and of large ones, which agree with tables', () => {
  expect(lowerBound(0, 10)).toBe(0);
  expect(upperBound(10, 10)).toBe(1);
  expect(upperBound(0, 10)).toBeCloseTo(0.3085, 4);
  expect(lowerBound(10, 10)).toBeCloseTo(0.6915, 4);
  expect(upperBound(50, 100_000)).toBeCloseTo(0.000659, 6);
  expect(lowerBound(50_000, 100_000)).toBeCloseTo(0.4969, 4);
});

test('the number of people that a target needs is the smallest', () => {
  expect(peopleToShowCatch(0.9)).toBe(36);
  expect(lowerBound(36, 36)).toBeGreaterThanOrEqual(0.9);
  expect(lowerBound(35, 35)).toBeLessThan(0.9);
  expect(peopleToShowHonest(0.001)).toBe(3688);
  expect(upperBound(0, 3688)).toBeLessThanOrEqual(0.001);
  expect(upperBound(0, 3687)).toBeGreaterThan(0.001);
});

test('the most hits are those with a bound at the share at most', () => {
  for (const count of [100, 3687, 3688, 20_000]) {
    const hits = mostHits(count, 0.001);
    if (hits >= 0) expect(upperBound(hits, count)).toBeLessThanOrEqual(0.001);
    expect(upperBound(hits + 1, count)).toBeGreaterThan(0.001);
  }
});
