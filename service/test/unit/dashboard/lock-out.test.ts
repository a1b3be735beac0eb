import { describe, expect, it } from 'vitest';
import { tolerances, waitAfter } from '../../../src/domain/dashboard/lock-out.js';
import { passwordProblem } from '../../../src/domain/dashboard/password.js';

describe('waits after wrong passwords', () => {
  it('cost nothing at first, double, and stop growing', () => {
    const waits = [1, 4, 5, 6, 7, 8, 9, 10, 1000].map((failures) => waitAfter(failures, tolerances.account));
    expect(waits).toEqual([0, 0, 30, 60, 120, 240, 480, 900, 900]);
    expect([19, 20, 27, 1000].map((failures) => waitAfter(failures, tolerances.address))).toEqual([0, 30, 3600, 3600]);
  });
});

describe('a new password', () => {
  it('has 12 to 1,000 characters, as people count them, and the error says so', () => {
    expect(passwordProblem('🔑'.repeat(12))).toBeUndefined();
    expect(passwordProblem('🔑'.repeat(11))).toBe('A password has at least 12 characters; this has 11.');
    expect(passwordProblem('a'.repeat(1000))).toBeUndefined();
    expect(passwordProblem('a'.repeat(1001))).toBe('A password has at most 1,000 characters.');
  });
});
