/** A share of devices with its 95% interval. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** Number of devices behind it, rounded. */
  readonly devices: number;
  /** Set if fewer than k devices differ from the others. `share` is then only a bound, so that they cannot be counted. */
  readonly bound?: 'at_most' | 'at_least';
}

/** Returns a number with four decimals. */
export function decimals(value: number, digits = 4): number {
  return Number(value.toFixed(digits));
}

/** Returns a count with two significant digits, or null if it is below k. */
export function countOf(count: number, k: number): number | null {
  return count < k ? null : Number(count.toPrecision(2));
}

/**
 * Returns a share of devices, or null if fewer than k devices stand behind it. A share that fewer than k devices make
 * up, or all but fewer than k, is replaced by a bound.
 *
 * @param hits How many devices. May be a fraction, if devices were counted in part.
 */
export function shareOf(hits: number, devices: number, k: number, interval = wilson(hits, devices)): Share | null {
  if (devices < k) return null;
  const few = k / devices;
  const share = hits / devices;
  const shown = { low: decimals(interval.low), high: decimals(interval.high), devices: countOf(devices, k) ?? 0 };
  if (hits >= k && devices - hits >= k) return { share: decimals(share), ...shown };
  if (few > 0.5) return null;
  return share < 0.5
    ? { ...shown, share: decimals(few), bound: 'at_most', low: 0, high: decimals(Math.max(few, interval.high)) }
    : {
        ...shown,
        share: decimals(1 - few),
        bound: 'at_least',
        low: decimals(Math.min(1 - few, interval.low)),
        high: 1,
      };
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Returns the 95% interval of a share (Wilson, Journal of the American Statistical Association 22, 1927). */
export function wilson(hits: number, count: number): Interval {
  const z2 = 1.96 ** 2;
  const share = hits / count;
  const middle = (share + z2 / (2 * count)) / (1 + z2 / count);
  const half = (1.96 / (1 + z2 / count)) * Math.sqrt((share * (1 - share)) / count + z2 / (4 * count * count));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
