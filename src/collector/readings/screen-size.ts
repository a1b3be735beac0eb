import { attribute } from '../attribute.js';
import { describe } from '../descriptor.js';
import { matches } from '../matches.js';
import { pageZoom } from '../page-zoom.js';
import { pixelRatio } from '../pixel-ratio.js';
import type { ReadingValue } from '../result.js';

/**
 * The screen's size in physical pixels, the shorter side first, its colour depth and gamut. CSS pixels times
 * `devicePixelRatio` would move with Chromium's page zoom, so that is taken out; sizes are rounded to tens, since
 * fractional scales do not give whole pixels back.
 */
export function screenSize(): ReadingValue | undefined {
  const lengths = [attribute(screen, 'width'), attribute(screen, 'height')];
  if (!Math.min(...lengths)) return undefined;
  const scale = describe().browser === 'c' ? pixelRatio() / pageZoom() : pixelRatio();
  const sides = lengths.map((side) => Math.round((side * scale) / 10) * 10);
  const gamut = ['rec2020', 'p3', 'srgb'].find((name) => matches(`color-gamut:${name}`));
  return [Math.min(...sides), Math.max(...sides), attribute(screen, 'colorDepth'), gamut ?? ''];
}
