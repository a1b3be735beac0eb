import { attribute } from '../attribute.js';
import type { ReadingValue } from '../result.js';

/**
 * The first language, without what a POSIX locale adds to it, and the locale that the browser formats by. The languages
 * after the first are left out: private windows of Chromium hide them. Asked of `PluralRules`, since the first of any
 * other formatter of a page holds the main thread for 20 ms and more in Chromium; what those would write follows from
 * the locale. An empty list of locales is the same as none, but not to spoofers that fill in their own for none.
 */
export function locale(): ReadingValue {
  return [attribute(navigator, 'language').replace(/@.*/, ''), new Intl.PluralRules([]).resolvedOptions().locale];
}
