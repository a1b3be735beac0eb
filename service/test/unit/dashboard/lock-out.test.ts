import { describe, expect, test } from 'vitest';
import { type Tolerance, tolerances, waitAfter } from '../../../src/resources/admins/rules.js';

describe('delays after wrong passwords', () => {
  test('are zero at first, double, and stop growing', () => {
    const waits = [1, 4, 5, 6, 7, 8, 9, 10, 1000].map((failures) => waitAfter(failures, tolerances.pair));
    expect(waits).toEqual([0, 0, 30, 60, 120, 240, 480, 900, 900]);
    expect([19, 20, 27, 1000].map((failures) => waitAfter(failures, tolerances.source))).toEqual([0, 30, 3600, 3600]);
  });

  test.each([
    ['one account from many sources', tolerances.account, 149, 96],
    ['any accounts from one source', tolerances.source, 49, 24],
  ])('limit the guesses per day as documented in docs/dashboard.md: %s', (_, tolerance, onFirstDay, later) => {
    expect([guesses(tolerance, 1), guesses(tolerance, 3) - guesses(tolerance, 2)]).toEqual([onFirstDay, later]);
  });
});

/** Returns the number of passwords checked within some days if each is tried as early as possible. */
function guesses(tolerance: Tolerance, days: number): number {
  let count = 0;
  for (let seconds = 0; seconds <= days * 86_400; seconds += waitAfter(count, tolerance)) count += 1;
  return count;
}
