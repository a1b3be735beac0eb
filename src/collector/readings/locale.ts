import { attribute } from '../attribute.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads the first language, without the suffixes of a POSIX locale, and the locale of the browser's formatters.
 *
 * Later languages are left out, because private windows of Chromium hide them. The locale comes from `PluralRules`,
 * because the first use of any other formatter blocks the main thread of a page for 20 ms or more in Chromium, and the
 * locale determines what those would print. An empty list of locales means the same as none, but some spoofing tools
 * replace only a missing list.
 */
export function locale(): ReadingValue {
  return [attribute(navigator, 'language').replace(/@.*/, ''), new Intl.PluralRules([]).resolvedOptions().locale];
}
