import { describe } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/**
 * The operating system family and the word size that the browser names. From the user agent and `navigator.platform`
 * alone: client hints are missing on plain http, and their version moves with the kernel.
 */
export function operatingSystem(): ReadingValue {
  const { kind, os, bits } = describe();
  return [kind + os, bits];
}
