/** Number of cells in which distinct values are counted. */
export const cells = 512;

/** Number of cells for countries: each code of two letters has its own. */
export const countryCells = 26 * 26;

/** Occupies a cell of a set, which is created if it does not exist. The first cell is the highest bit of the first byte. */
export function setCell(set: Uint8Array | undefined, cell: number, size: number): Uint8Array {
  const changed = set ?? new Uint8Array(Math.ceil(size / 8));
  const byte = cell >> 3;
  changed[byte] = (changed[byte] ?? 0) | (0x80 >> (cell & 7));
  return changed;
}

/** Returns the cell of a value, from two bytes of a hash of it. */
export function cellOf(hash: Uint8Array): number {
  const [high = 0, low = 0] = hash.subarray(hash.length - 2);
  return (high * 256 + low) % cells;
}

/**
 * Returns the estimated number of distinct values that were hashed into the occupied cells (linear counting, Whang et al.
 * 1990). The standard error is 1 at 30 values, 4% at 500 and 8% at 2,000. Estimates end at 3,194, when all cells are
 * occupied.
 */
export function estimateDistinct(occupied: number): number {
  return Math.round(cells * Math.log(cells / Math.max(1, cells - occupied)));
}
