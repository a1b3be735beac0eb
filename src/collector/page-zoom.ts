import { describe } from './descriptor.js';
import { pixelRatio } from './pixel-ratio.js';

/** The zoom levels in Chromium's menu. */
const zooms = [0.25, 1 / 3, 0.5, 2 / 3, 0.75, 0.8, 0.9, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5];

/** Returns whether a system offers this display scale: multiples of a quarter, from 1. */
function isDisplayScale(scale: number): boolean {
  return scale > 0.99 && Math.abs(scale * 4 - Math.round(scale * 4)) < 0.05;
}

/**
 * Returns the zoom factor of a Chromium page. No property reports it, because `devicePixelRatio` is the display scale
 * multiplied by the zoom. A zoom level is accepted if two conditions hold: the remaining scale is one that systems
 * offer, and the ratio of outer to inner window width matches the zoom within 4%. A docked panel changes that ratio by
 * more. Returns 1 in a frame, where the window's width in page pixels is unknown, and on phones, where zoom does not
 * change these values.
 */
export function pageZoom(): number {
  if (window !== window.top || describe().kind !== 'd' || !innerWidth || !outerWidth) return 1;
  const apparent = outerWidth / innerWidth;
  const ratio = pixelRatio();
  const isLikely = (zoom: number) => isDisplayScale(ratio / zoom) && Math.abs(Math.log(zoom / apparent)) < 0.04;
  return zooms.find(isLikely) ?? 1;
}
