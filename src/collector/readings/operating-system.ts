import { describe } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads the operating system family and the word size that the browser reports, from the user agent and
 * `navigator.platform`.
 *
 * Client hints are not used, because they are missing on plain http, and their version changes with the kernel.
 */
export function operatingSystem(): ReadingValue {
  const { kind, os, bits } = describe();
  return [kind + os, bits];
}
