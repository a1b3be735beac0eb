import { attribute } from '../attribute.js';
import type { ReadingValue } from '../result.js';

/**
 * Memory in GiB as Chromium rounds it, held to 2 to 8: the ends of its scale were 0.25 and 8 once and are 2 and 32 in
 * newer versions (https://www.w3.org/TR/device-memory/). Secure contexts only.
 */
export function memory(): ReadingValue | undefined {
  const gib = attribute(navigator, 'deviceMemory');
  return typeof gib === 'number' ? Math.min(8, Math.max(2, gib)) : undefined;
}
