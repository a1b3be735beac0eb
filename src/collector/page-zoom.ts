import { describe } from './descriptor.js';
import { pixelRatio } from './pixel-ratio.js';

/** The steps of Chromium's zoom menu. */
const zooms = [0.25, 1 / 3, 0.5, 2 / 3, 0.75, 0.8, 0.9, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5];

/** The scales that systems offer, in quarters; below 1 there is none. */
function isDisplayScale(scale: number): boolean {
  return scale > 0.99 && Math.abs(scale * 4 - Math.round(scale * 4)) < 0.05;
}

/**
 * How far a Chromium page is zoomed. No property says it: `devicePixelRatio` is display scale times zoom. A zoom is
 * believed where it leaves a scale that systems offer, and where the window is as many of the page's pixels wide as it
 * says, within 4 %; a docked panel makes the page narrower by more than that. In a frame the window's width in the
 * page's pixels is not known, and on phones zoom moves nothing: no zoom is assumed there.
 */
export function pageZoom(): number {
  if (window !== window.top || describe().kind !== 'd' || !innerWidth || !outerWidth) return 1;
  const apparent = outerWidth / innerWidth;
  const ratio = pixelRatio();
  const isLikely = (zoom: number) => isDisplayScale(ratio / zoom) && Math.abs(Math.log(zoom / apparent)) < 0.04;
  return zooms.find(isLikely) ?? 1;
}
