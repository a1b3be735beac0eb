import { describe, expect, it } from 'vitest';
import { tolerances, waitAfter } from '../../../src/domain/dashboard/lock-out.js';

describe('waits after wrong passwords', () => {
  it('cost nothing at first, double, and stop growing', () => {
    const waits = [1, 4, 5, 6, 7, 8, 9, 10, 1000].map((failures) => waitAfter(failures, tolerances.account));
    expect(waits).toEqual([0, 0, 30, 60, 120, 240, 480, 900, 900]);
    expect([19, 20, 27, 1000].map((failures) => waitAfter(failures, tolerances.address))).toEqual([0, 30, 3600, 3600]);
  });
});
