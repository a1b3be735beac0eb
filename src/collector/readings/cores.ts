import { attribute } from '../attribute.js';
import { describe } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/**
 * Logical cores. Firefox with fingerprinting protection shows 4 below 8 cores and 8 from there on, and WebKit caps at
 * 8, so outside Chromium only these two classes are the same in every mode.
 */
export function cores(): ReadingValue | undefined {
  const count = attribute(navigator, 'hardwareConcurrency');
  if (!count) return undefined;
  return describe().browser === 'c' ? count : count < 8 ? 4 : 8;
}
