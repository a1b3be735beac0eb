import { describe, expect, test } from 'vitest';
import { createApiKey, hashSecret } from '../../../src/ground/crypto/index.js';

describe('createApiKey', () => {
  test.each([
    ['secret', 'live', /^sk_live_[0-9A-Za-z]{43}$/],
    ['secret', 'test', /^sk_test_[0-9A-Za-z]{43}$/],
    ['publishable', 'live', /^pk_live_[0-9A-Za-z]{22}$/],
    ['publishable', 'test', /^pk_test_[0-9A-Za-z]{22}$/],
  ] as const)('makes a %s key of the %s world', (kind, mode, form) => {
    expect(createApiKey(kind, mode)).toMatch(form);
  });

  test('contains 32 random bytes in a secret key, and 16 in a publishable key', () => {
    expect(43 * Math.log2(62)).toBeGreaterThanOrEqual(256);
    expect(22 * Math.log2(62)).toBeGreaterThanOrEqual(128);
  });

  test('uses all letters and digits, and never repeats a key', () => {
    const keys = Array.from({ length: 500 }, () => createApiKey('secret', 'live').slice(8));
    expect(new Set(keys).size).toBe(500);
    expect(new Set(keys.join('')).size).toBe(62);
  });
});

test('hashSecret is SHA-256', () => {
  // FIPS 180-2, appendix B.1.
  expect(hashSecret('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
