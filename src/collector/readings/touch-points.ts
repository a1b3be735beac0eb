import { attribute } from '../attribute.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads how many touch points the screen can track.
 *
 * 0 without a touch screen, otherwise a property of its digitiser.
 */
export function touchPoints(): ReadingValue {
  return attribute(navigator, 'maxTouchPoints');
}
