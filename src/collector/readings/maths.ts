import type { ReadingValue } from '../result.js';

/**
 * Reads results of the maths library for which implementations differ by more than rounding, to 12 digits.
 *
 * The last bits differ between two builds of one version. Large arguments differ by how the library reduces them.
 */
export function maths(): ReadingValue {
  return [
    Math.tan(-1e300),
    Math.sin(1e22),
    Math.cos(1e300),
    Math.acosh(1e300),
    Math.sinh(1),
    Math.expm1(1),
    Math.cbrt(100),
    Math.atanh(0.5),
    Math.PI ** -100,
  ].map((value) => value.toPrecision(12));
}
