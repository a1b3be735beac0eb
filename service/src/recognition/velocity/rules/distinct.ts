/** Number of cells in which distinct values are counted. */
export const cells = 512;

/** Returns the cell of a value, from two bytes of a hash of it. */
export function cellOf(hash: Uint8Array): number {
  const [high = 0, low = 0] = hash.subarray(hash.length - 2);
  return (high * 256 + low) % cells;
}

/**
 * Returns the estimated number of distinct values that were hashed into the occupied cells (linear counting, Whang et al.
 * 1990). The standard error is 1 at 30 values, 4 % at 500 and 8 % at 2,000. Estimates end at 3,194, when all cells are
 * occupied.
 */
export function estimateDistinct(occupied: number): number {
  return Math.round(cells * Math.log(cells / Math.max(1, cells - occupied)));
}
