import { matches } from '../matches.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads the preferences that the user has set for every page: colours, contrast, motion.
 *
 * Media Queries Level 5, section 12.
 */
export function preferences(): ReadingValue {
  return [
    'prefers-color-scheme:dark',
    'prefers-contrast:more',
    'prefers-contrast:less',
    'prefers-reduced-motion:reduce',
    'forced-colors:active',
    'inverted-colors:inverted',
  ].map(matches);
}
