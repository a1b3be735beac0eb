import { describe, expect, test } from 'vitest';
import {
  classWidth,
  largest,
  medianSeconds,
  overviewOf,
  periodBefore,
  periodOf,
} from '../../../src/effects/activity/rules.js';

const now = new Date('2026-03-29T13:37:00Z');

describe('a period', () => {
  test('is divided into columns of whole hours or days, up to the current one', () => {
    const edges = (name: string | null) => {
      const { starts } = periodOf(name, now);
      return [starts.length, starts[0].toISOString(), starts.at(-1)?.toISOString()];
    };
    expect(edges('24h')).toEqual([24, '2026-03-28T14:00:00.000Z', '2026-03-29T13:00:00.000Z']);
    expect(edges('7d')).toEqual([28, '2026-03-22T18:00:00.000Z', '2026-03-29T12:00:00.000Z']);
    expect(edges('30d')).toEqual([30, '2026-02-28T00:00:00.000Z', '2026-03-29T00:00:00.000Z']);
    expect(edges('90d')).toEqual([90, '2025-12-30T00:00:00.000Z', '2026-03-29T00:00:00.000Z']);
  });

  test('with an unknown name is the shortest', () => {
    for (const name of [null, '', '1y', 'toString']) expect(periodOf(name, now).name).toBe('24h');
  });
});

describe('the median time', () => {
  const classOf = (seconds: number) => Math.floor(Math.log(seconds) / classWidth);
  const medianOf = (times: readonly number[]) => {
    const counts = new Map<number, number>();
    for (const time of times) counts.set(classOf(time), (counts.get(classOf(time)) ?? 0) + 1);
    return medianSeconds(counts);
  };

  test('is within 5% of the exact value for all durations', () => {
    for (const median of [1.04, 17, 42, 300, 3599, 80_000]) {
      const found = medianOf([1, 1, median, 90_000, 90_000]) ?? 0;
      expect(Math.abs(found / median - 1)).toBeLessThan(0.05);
    }
  });

  test('is undefined without values', () => {
    expect(medianOf([])).toBeUndefined();
  });
});

describe('an overview', () => {
  const period = periodOf('24h', now);
  const hour = (hours: number) => new Date(Date.UTC(2026, 2, 29, hours));
  const of = (kind: string, label: string, count: number, at = hour(13)) => ({ at, kind, label, count });

  test('puts counts into their columns, and omits earlier ones', () => {
    const counted = [of('verdict', 'allow', 5, hour(12)), of('verdict', 'allow', 2), of('verdict', 'deny', 1)];
    const { evaluations, verdicts, observed } = overviewOf(
      period,
      [...counted, of('verdict', 'allow', 100, new Date('2026-03-28T13:00:00Z'))],
      [],
    );
    expect(evaluations).toBe(8);
    expect(verdicts.find(({ label }) => label === 'allow')?.counts.slice(-3)).toEqual([0, 5, 2]);
    expect(observed).toEqual([]);
  });

  test('lists the reasons that occurred, most frequent first', () => {
    const counted = [of('reason', 'new_ip', 2), of('reason', 'new_device', 3)];
    const { reasons } = overviewOf(period, counted, ['new_ip', 'blocked', 'new_device']);
    expect(reasons.map(({ label, total }) => [label, total])).toEqual([
      ['new_device', 3],
      ['new_ip', 2],
    ]);
  });

  test('excludes open challenges from the completion rate', () => {
    const counted = [of('challenge', 'completed', 3), of('challenge', 'expired', 1), of('challenge', 'pending', 6)];
    expect(overviewOf(period, counted, [])).toMatchObject({ challenges: 10, completedShare: 0.75 });
    expect(overviewOf(period, [of('challenge', 'pending', 6)], []).completedShare).toBeUndefined();
  });
});

describe('too many series', () => {
  test('are combined into one, unless there is only one more', () => {
    const series = [3, 2, 1].map((total) => ({ label: `s${total}`, counts: [total, 0], total }));
    expect(largest(series, 2).map(({ label }) => label)).toEqual(['s3', 's2', 's1']);
    expect(largest(series, 1)).toEqual([series[0], { label: 'others', counts: [3, 0], total: 3 }]);
  });
});

test('the period before has the same length, and ends at the full hour nearest to the same time', () => {
  const late = new Date('2026-11-27T10:40:00Z');
  const period = periodOf('7d', late);
  const before = periodBefore(period, late);
  expect(before.starts).toHaveLength(period.starts.length);
  expect(period.starts[0].getTime() - before.starts[0].getTime()).toBe(7 * 24 * 3_600_000);
  expect(before.to).toEqual(new Date('2026-11-20T11:00:00Z'));
});
