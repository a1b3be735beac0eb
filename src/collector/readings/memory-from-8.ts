import { attribute } from '../attribute.js';
import { describe } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads memory of 8 GiB and more, up to 32. A value of 8 is not used where it may mean more.
 *
 * Older versions of Chromium report 8 for all of these, and so do all versions on Android. Version 147 was the first of
 * the recorded builds that reported more.
 */
export function memoryFrom8(): ReadingValue | undefined {
  const gib = attribute(navigator, 'deviceMemory');
  const { os, version } = describe();
  return Number(gib) > 8 || (gib === 8 && os !== 'a' && Number(version) > 146) ? Number(gib) : undefined;
}
