import { attribute } from '../attribute.js';
import { engineFamily } from '../descriptor.js';
import { matches } from '../matches.js';
import { pageZoom } from '../page-zoom.js';
import { pixelRatio } from '../pixel-ratio.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads the size of the screen in physical pixels (shorter side first, rounded to tens), its colour depth and its
 * gamut.
 *
 * Page zoom in Chromium is removed, because it would change CSS pixels multiplied by `devicePixelRatio`. Sizes are
 * rounded to tens, because fractional scales do not give whole pixels.
 */
export function screenSize(): ReadingValue | undefined {
  const lengths = [attribute(screen, 'width'), attribute(screen, 'height')];
  if (!Math.min(...lengths)) return undefined;
  const scale = engineFamily() === 'c' ? pixelRatio() / pageZoom() : pixelRatio();
  const sides = lengths.map((side) => Math.round((side * scale) / 10) * 10);
  const gamut = ['rec2020', 'p3', 'srgb'].find((name) => matches(`color-gamut:${name}`));
  return [Math.min(...sides), Math.max(...sides), attribute(screen, 'colorDepth'), gamut ?? ''];
}
