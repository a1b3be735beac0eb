import type { ReadingValue } from '../result.js';

/**
 * How the script engine words an error and prints a native function: V8, SpiderMonkey and JavaScriptCore differ, and
 * no version of them has changed either in years. The user agent is not asked, since it is what spoofers change first.
 */
export function engine(): ReadingValue {
  let wording = '';
  try {
    (1).toFixed(-1);
  } catch (error) {
    wording = String(error);
  }
  return [wording, String(Math.abs).length];
}
