import { attribute } from '../attribute.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads the memory in GiB as Chromium rounds it, clamped to 2 to 8. Secure contexts only.
 *
 * Chromium's scale was 0.25 to 8 in older versions and is 2 to 32 in newer ones (https://www.w3.org/TR/device-memory/).
 */
export function memory(): ReadingValue | undefined {
  const gib = attribute(navigator, 'deviceMemory');
  return typeof gib === 'number' ? Math.min(8, Math.max(2, gib)) : undefined;
}
