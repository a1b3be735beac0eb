import { describe } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/**
 * The operating system family and the word size that the browser names. From the user agent and `navigator.platform`
 * alone: client hints are missing on plain http, and their version moves with the kernel.
 */
export function operatingSystem(): ReadingValue {
  const { kind, os } = describe();
  return [kind + os, /64|MacIntel/.test(navigator.platform + navigator.userAgent) ? 64 : 32];
}
