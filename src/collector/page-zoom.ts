/** The steps of Chromium's zoom menu. */
const zooms = [0.25, 1 / 3, 0.5, 2 / 3, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5];

/** The scales that systems offer, in quarters; below 1 there is none. */
function isDisplayScale(scale: number): boolean {
  return scale > 0.99 && Math.abs(scale * 4 - Math.round(scale * 4)) < 0.05;
}

/**
 * How far a Chromium page is zoomed. No property says it: `devicePixelRatio` is display scale times zoom. Of the zooms that leave a scale
 * which systems offer, it is the one nearest to how many of the page's pixels the window is wide. In a frame the
 * window's width in the page's pixels is not known: no zoom is assumed there, and on phones, where zoom moves nothing.
 */
export function pageZoom(): number {
  const ratio = devicePixelRatio;
  if (window !== window.top || navigator.maxTouchPoints > 1 || !innerWidth || !outerWidth) return 1;
  const apparent = outerWidth / innerWidth;
  const distance = (zoom: number) => Math.abs(Math.log(zoom / apparent));
  return zooms
    .filter((zoom) => isDisplayScale(ratio / zoom))
    .reduce((best, zoom) => (distance(zoom) < distance(best) ? zoom : best), 1);
}
