import { describe, expect, test } from 'vitest';
import { noCounts } from '../../../src/recognition/velocity/rules/counts.js';
import { cellOf, cells, estimateDistinct } from '../../../src/recognition/velocity/rules/distinct.js';
import { mergeableHour, slotOf, startOf } from '../../../src/recognition/velocity/rules/slots.js';
import { toSubjectCounts } from '../../../src/recognition/velocity/rules/windows.js';

const now = new Date('2026-03-01T12:03:20.500Z');
const at = (time: string) => new Date(`2026-03-01T${time}Z`);

describe('distinct values', () => {
  test.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [30, 31],
    [319, 500],
    [511, 3194],
    [512, 3194],
  ])('%i occupied cells are about %i values', (occupied, expected) => {
    expect(Math.abs(estimateDistinct(occupied) - expected)).toBeLessThanOrEqual(1);
  });

  test('a cell is within the row', () => {
    expect(cellOf(new Uint8Array([1, 2, 255, 255]))).toBe(cells - 1);
    expect(cellOf(new Uint8Array([255, 255, 2, 1]))).toBe(1);
  });
});

describe('slots', () => {
  test('windows begin with a whole slot, and the day with a whole hour', () => {
    expect(slotOf(now)).toEqual(at('12:00:00'));
    expect(startOf('fiveMinutes', now)).toEqual(at('11:55:00'));
    expect(startOf('hour', now)).toEqual(at('11:00:00'));
    expect(startOf('day', now)).toEqual(new Date('2026-02-28T12:00:00Z'));
  });

  test('only an hour that shorter windows do not divide is merged, and only at the start of an hour', () => {
    expect(mergeableHour(now)).toEqual({ from: at('10:00:00'), to: at('11:00:00') });
    expect(startOf('hour', now).getTime()).toBeGreaterThanOrEqual(at('11:00:00').getTime());
    expect(mergeableHour(at('12:14:59'))).toBeDefined();
    expect(mergeableHour(at('12:15:00'))).toBeUndefined();
  });
});

test('an absent window has the counts of the next shorter one', () => {
  const row = { evaluations: 2, failures: 1, signups: 0, users: 319, failedUsers: 0, devices: 1, countries: 1 };
  const counts = toSubjectCounts([
    { ...row, part: 0 },
    { ...row, part: 2, evaluations: 4 },
  ]);
  expect(counts.fiveMinutes).toEqual({ ...row, users: 500 });
  expect(counts.hour).toEqual(counts.fiveMinutes);
  expect(counts.day).toEqual({ ...row, users: 500, evaluations: 4 });
  expect(toSubjectCounts([])).toEqual(noCounts);
});
