/**
 * Returns a quantile, interpolated between the two nearest values.
 *
 * @param {readonly number[]} values
 * @param {number} share 0.5 for the median.
 */
export function quantile(values, share) {
  if (!values.length) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position % 1);
}

/**
 * @typedef {object} Summary
 * @property {number} median
 * @property {number} p95
 */

/**
 * @param {readonly number[]} values
 * @returns {Summary}
 */
export function summarise(values) {
  return { median: quantile(values, 0.5), p95: quantile(values, 0.95) };
}
