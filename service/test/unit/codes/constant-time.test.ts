import { timingSafeEqual } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { hashCode, matchesCode } from '../../../src/domain/challenges/codes.js';

// The real function, watched: time itself cannot be measured well enough for a test that fails when it should.
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

test('hashes are compared by timingSafeEqual, right ones and wrong ones', () => {
  const key = Buffer.alloc(32, 7);
  const hash = hashCode('012345', 'challenge', key);
  const wrong = hashCode('012346', 'challenge', key);

  expect(matchesCode('012345', 'challenge', key, hash)).toBe(true);
  expect(matchesCode('012346', 'challenge', key, hash)).toBe(false);
  expect(vi.mocked(timingSafeEqual).mock.calls).toEqual([
    [hash, hash],
    [wrong, hash],
  ]);
});
