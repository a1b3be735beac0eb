import { describe, expect, test } from 'vitest';
import {
  hasReached,
  isLogPosition,
  lagOf,
  lastPosition,
  laterOf,
  requiredPosition,
  type Sample,
  withSample,
} from '../../../src/ground/db/replica/position-rules.js';

const samplesOf = (...samples: readonly (readonly [atMs: number, position: string])[]) =>
  samples.reduce<readonly Sample[]>((all, [atMs, position]) => withSample(all, { atMs, position }), []);

describe('positions in the log', () => {
  test.each(['0/0', '16/B374D848', 'ffffffff/ffffffff'])('%s is one', (text) => {
    expect(isLogPosition(text)).toBe(true);
  });

  test.each(['', '0', '0/', '/0', '0/G', '123456789/0', '0/0 ', '0/0\n', "0/0'"])('%j is none', (text) => {
    expect(isLogPosition(text)).toBe(false);
  });

  test('are compared as numbers', () => {
    expect(laterOf('9/0', '10/0')).toBe('10/0');
    expect(laterOf('0/FF', '0/100')).toBe('0/100');
    expect(laterOf('1/0', '0/FFFFFFFF')).toBe('1/0');
    expect(hasReached('0/1', '0/1')).toBe(true);
    expect(hasReached('7FFFFFFF/0', lastPosition)).toBe(false);
  });
});

describe('what a replica must have reached', () => {
  const samples = samplesOf([0, '0/1'], [1000, '0/2'], [2000, '0/3']);

  test('is what the primary had at the longest lag', () => {
    expect(requiredPosition(samples, 2500, 1000)).toBe('0/2');
    expect(requiredPosition(samples, 3000, 1000)).toBe('0/3');
    expect(requiredPosition(samples, 60_000, 1000)).toBe('0/3');
  });

  test('is the first known position as long as nothing older is known', () => {
    expect(requiredPosition(samples, 2500, 10_000)).toBe('0/1');
    expect(requiredPosition([], 2500, 10_000)).toBeUndefined();
  });
});

describe('the lag of a replica', () => {
  const samples = samplesOf([0, '0/1'], [1000, '0/2'], [2000, '0/3']);

  test('counts from the first position that it lacks', () => {
    expect(lagOf(samples, '0/1', 2500)).toBe(1500);
    expect(lagOf(samples, '0/2', 2500)).toBe(500);
  });

  test('is zero if it lacks nothing, however old that is', () => {
    expect(lagOf(samples, '0/3', 100_000)).toBe(0);
    expect(lagOf([], '0/3', 100_000)).toBe(0);
  });

  test('counts from the first of equal samples', () => {
    expect(lagOf(samplesOf([0, '0/1'], [1000, '0/2'], [2000, '0/2']), '0/1', 2500)).toBe(1500);
  });

  test('forgets a primary that had more than its successor', () => {
    expect(samplesOf([0, '0/1'], [1000, '0/9'], [2000, '0/5'])).toEqual([{ atMs: 2000, position: '0/5' }]);
  });

  test('is known after hours of a paused replica, without keeping every sample', () => {
    const seconds = 50_000;
    const many = samplesOf(...Array.from({ length: seconds }, (_, at) => [at, `0/${(at + 1).toString(16)}`] as const));
    expect(many.length).toBeLessThanOrEqual(1000);
    expect(lagOf(many, '0/1', seconds) / seconds).toBeGreaterThan(0.95);
    const half = `0/${(seconds / 2).toString(16)}`;
    expect(lagOf(many, half, seconds) / seconds).toBeCloseTo(0.5, 1);
  });
});
