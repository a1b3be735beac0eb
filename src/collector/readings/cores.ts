import { attribute } from '../attribute.js';
import { engineFamily } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads the number of logical cores, outside Chromium only whether there are 8 or more.
 *
 * Firefox with fingerprinting protection reports 4 below 8 cores and 8 otherwise, and WebKit reports at most 8. Outside
 * Chromium, only these two classes are therefore the same in every mode.
 */
export function cores(): ReadingValue | undefined {
  const count = attribute(navigator, 'hardwareConcurrency');
  if (!count) return undefined;
  return engineFamily() === 'c' ? count : count < 8 ? 4 : 8;
}
