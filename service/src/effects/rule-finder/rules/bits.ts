/** Set of rows, 32 in each word. */
export type Bits = Uint32Array;

export function emptyBits(rows: number): Bits {
  return new Uint32Array(Math.ceil(rows / 32));
}

/** Returns the rows for which a test holds. */
export function bitsOf(rows: number, holds: (row: number) => boolean): Bits {
  const bits = emptyBits(rows);
  for (let row = 0; row < rows; row++) {
    if (holds(row)) bits[row >>> 5] = (bits[row >>> 5] ?? 0) | (1 << (row & 31));
  }
  return bits;
}

export function both(one: Bits, other: Bits): Bits {
  return one.map((word, index) => word & (other[index] ?? 0));
}

export function either(one: Bits, other: Bits): Bits {
  return one.map((word, index) => word | (other[index] ?? 0));
}

/** Returns the rows of one set that are not in the other. */
export function except(one: Bits, other: Bits): Bits {
  return one.map((word, index) => word & ~(other[index] ?? 0));
}

export function count(bits: Bits): number {
  let sum = 0;
  for (let index = 0; index < bits.length; index++) sum += ones(bits[index] ?? 0);
  return sum;
}

/** Returns how many rows are in both sets. */
export function countBoth(one: Bits, other: Bits): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += ones((one[index] ?? 0) & (other[index] ?? 0));
  return sum;
}

/** Counts the ones of a word (Warren, Hacker's Delight, 5-1). */
function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
