import { randomFillSync } from 'node:crypto';

const bufferBytes = 4096;

/**
 * Returns cryptographically secure random bytes from a buffer that is filled 4 KiB at a time: one call to the source
 * costs the same for 16 bytes as for 4 KiB. No byte is returned twice.
 */
export const takeRandomBytes = createBuffer();

function createBuffer(): (count: number) => Buffer {
  let buffer = Buffer.alloc(0);
  let used = 0;
  return (count) => {
    if (used + count > buffer.length) {
      // A new buffer each time, because callers hold slices of the old one.
      buffer = randomFillSync(Buffer.allocUnsafeSlow(Math.max(bufferBytes, count)));
      used = 0;
    }
    used += count;
    return buffer.subarray(used - count, used);
  };
}
