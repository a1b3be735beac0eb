import { describe, expect, test } from 'vitest';
import { unusualRates } from '../../../src/effects/activity/unusual-rules.js';

const at = new Date('2026-11-27T09:00:00Z');

/** Counts of one hour. */
const hour = (allowed: number, denied = 0, failed = 0) => [
  { at, kind: 'verdict', label: 'allow', count: allowed },
  { at, kind: 'verdict', label: 'deny', count: denied },
  { at, kind: 'failure', label: 'allow', count: failed },
  { at, kind: 'reason', label: 'new_device', count: 1000 },
];

const weeks = [98, 103, 110, 95, 101, 99].map((count) => hour(count, 2, 10));

describe('unusual rates', () => {
  test('are far from the median of the same hour in earlier weeks', () => {
    expect(unusualRates(hour(104, 3, 12), weeks)).toEqual([]);
    expect(unusualRates(hour(100, 2, 400), weeks)).toEqual([{ rate: 'failures', count: 400, usual: 10 }]);
    expect(unusualRates(hour(0, 0, 10), weeks)).toEqual([{ rate: 'evaluations', count: 0, usual: 102 }]);
    expect(unusualRates(hour(100, 60, 10), weeks)).toContainEqual({ rate: 'denials', count: 60, usual: 2 });
  });

  test('need a difference that chance does not explain', () => {
    // Of small numbers, a multiple is common.
    expect(unusualRates(hour(100, 15, 10), weeks)).toEqual([]);
    const wild = [20, 400, 90, 310, 150, 30].map((count) => hour(count));
    expect(unusualRates(hour(500), wild)).toEqual([]);
  });

  test('are not affected by one earlier attack', () => {
    const attacked = [...weeks.slice(0, 5), hour(100, 2, 5000)];
    expect(unusualRates(hour(100, 2, 400), attacked)).toMatchObject([{ rate: 'failures', usual: 10 }]);
  });

  test('need three weeks to compare with', () => {
    expect(unusualRates(hour(100, 2, 4000), weeks.slice(0, 2))).toEqual([]);
    expect(unusualRates(hour(100, 2, 4000), weeks.slice(0, 3))).toHaveLength(1);
    expect(unusualRates([], [[], [], []])).toEqual([]);
  });
});
