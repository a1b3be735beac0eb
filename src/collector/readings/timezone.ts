import type { ReadingValue } from '../result.js';

/**
 * How many minutes local time was behind UTC on sampled days from 1930 to 2025: zones that keep the same time today had
 * other rules once, so the row stands for the zone nearly as well as its name. Not the name itself: the
 * first `Intl.DateTimeFormat` of a page holds the main thread for 20 ms and more in Chromium, and engines name one zone
 * differently. It moves when its user travels; browsers that hide it show UTC.
 */
export function timezone(): ReadingValue {
  const offsets = [];
  for (let year = 1930; year <= 2025; year += 5) {
    for (const month of [0, 3, 6, 9]) offsets.push(new Date(year, month, 15, 12).getTimezoneOffset());
  }
  return offsets;
}
