import { matches } from '../matches.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads which kinds of pointing devices exist: the primary one and all together.
 *
 * Media Queries Level 4, section 6.
 */
export function pointers(): ReadingValue {
  return ['pointer:fine', 'pointer:coarse', 'hover', 'any-pointer:fine', 'any-pointer:coarse', 'any-hover'].map(
    matches,
  );
}
