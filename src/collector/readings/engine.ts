import { wording } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads how the script engine words an error and prints a native function. V8, SpiderMonkey and JavaScriptCore differ.
 *
 * None of them has changed either in years. The user agent is not used, because spoofing tools change it first.
 */
export function engine(): ReadingValue {
  return [wording(), String(Math.abs).length];
}
