import type { ReadingValue } from '../result.js';

/**
 * The first language, without what a POSIX locale adds to it, and the locale that the browser formats by. The languages
 * after the first are left out: private windows of Chromium hide them. Asked of `PluralRules`, since the first of any
 * other formatter of a page holds the main thread for 20 ms and more in Chromium; what those would write follows from
 * the locale.
 */
export function locale(): ReadingValue {
  return [navigator.language.replace(/@.*/, ''), new Intl.PluralRules().resolvedOptions().locale];
}
