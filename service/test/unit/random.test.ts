import { expect, test } from 'vitest';
import { takeRandomBytes } from '../../src/ground/crypto/random.js';

test('returns as many random bytes as requested, never the same twice', () => {
  // Includes more than the buffer holds.
  const sizes = [16, 12, 4096, 1, 10_000, ...Array.from({ length: 600 }, () => 16)];
  const taken = sizes.map((size) => {
    const bytes = takeRandomBytes(size);
    return { bytes, text: bytes.toString('hex') };
  });
  expect(taken.map(({ bytes }) => bytes.length)).toEqual(sizes);
  // Refilling the buffer does not change bytes that were returned earlier.
  expect(taken.map(({ bytes }) => bytes.toString('hex'))).toEqual(taken.map(({ text }) => text));
  expect(new Set(taken.map(({ text }) => text)).size).toBe(sizes.length);
  const stretches = taken.map(({ bytes }) => ({
    buffer: bytes.buffer,
    from: bytes.byteOffset,
    to: bytes.byteOffset + bytes.length,
  }));
  const overlapping = stretches.filter((one, at) =>
    stretches.some((two, other) => other !== at && two.buffer === one.buffer && two.from < one.to && one.from < two.to),
  );
  expect(overlapping).toEqual([]);
});
