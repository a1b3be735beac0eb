import { attribute } from '../attribute.js';
import type { ReadingValue } from '../result.js';

/** How many fingers the screen can follow: 0 without a touch screen, and a property of its digitiser with one. */
export function touchPoints(): ReadingValue {
  return attribute(navigator, 'maxTouchPoints');
}
