import type { ReadingValue } from '../result.js';

/**
 * The first language, the default locale that formats numbers, and how it writes one. The languages after the first are
 * left out: private windows of Chromium hide them. Dates are, too: the first `Intl.DateTimeFormat` of a page holds
 * the main thread for 20 to 50 ms in Chromium.
 */
export function locale(): ReadingValue {
  const format = new Intl.NumberFormat();
  return [navigator.language, format.resolvedOptions().locale, format.format(12345.6)];
}
