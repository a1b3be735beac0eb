import type { ReadingValue } from '../result.js';

/**
 * Reads the sign bit of the NaN that `Infinity - Infinity` produces: set on x86, clear on ARM.
 *
 * The standard leaves it open, and engines pass on what the processor does (ECMA-262, 6.1.6.1), so only the processor
 * changes it.
 */
export function architecture(): ReadingValue {
  const values = new Float32Array(1);
  const bytes = new Uint8Array(values.buffer);
  values[0] = Number.POSITIVE_INFINITY;
  values[0] = (values[0] ?? 0) - (values[0] ?? 0);
  return bytes[3] ?? 0;
}
