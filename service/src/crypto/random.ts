import { randomFillSync } from 'node:crypto';

const storedBytes = 4096;

/**
 * Random bytes of a cryptographic source, from a store that is filled 4 KiB at a time: a call to the source costs the
 * same for sixteen bytes, and each request takes some. No byte is given twice.
 */
export const takeRandomBytes = createStore();

function createStore(): (count: number) => Buffer {
  let store = Buffer.alloc(0);
  let taken = 0;
  return (count) => {
    if (taken + count > store.length) {
      // A new one each time: what was given is a part of the old one.
      store = randomFillSync(Buffer.allocUnsafeSlow(Math.max(storedBytes, count)));
      taken = 0;
    }
    taken += count;
    return store.subarray(taken - count, taken);
  };
}
