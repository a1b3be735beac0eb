import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hashCode, matchesCode } from '../../../src/challenges/rules/codes.js';

test('correct and wrong hashes are compared with timingSafeEqual', () => {
  // A spy on the real function, because timings are too imprecise for a reliable test.
  const watched = vi.spyOn(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  onTestFinished(() => {
    watched.mockRestore();
    syncBuiltinESMExports();
  });
  const key = Buffer.alloc(32, 7);
  const hash = hashCode('012345', 'challenge', key);
  const wrong = hashCode('012346', 'challenge', key);

  expect(matchesCode('012345', 'challenge', key, hash)).toBe(true);
  expect(matchesCode('012346', 'challenge', key, hash)).toBe(false);
  expect(watched.mock.calls).toEqual([
    [hash, hash],
    [wrong, hash],
  ]);
});
