import { attribute } from '../attribute.js';
import { engineFamily } from '../descriptor.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads how many touch points the screen can track, outside Chromium only whether there are none, one or more.
 *
 * 0 without a touch screen, otherwise a property of its digitiser. Firefox with fingerprinting protection reports 5 for
 * any number above 1 (`MaxTouchPointsCollapse`), and WebKit always does.
 */
export function touchPoints(): ReadingValue {
  const points = attribute(navigator, 'maxTouchPoints');
  return points > 1 && engineFamily() !== 'c' ? 5 : points;
}
