import { drawAndRead } from '../draw.js';
import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * Letters and pictographs, as pixels: fonts, their versions and the glyph rasteriser show. Drawn at a slant, which
 * takes hinting and whole-pixel positions out of play: both depend on the display's scale.
 */
export function text({ drawing }: ReadingContext): ReadingValue | undefined {
  return drawAndRead(drawing(), (context) => {
    context.rotate(0.1);
    context.font = '17px sans-serif';
    context.fillText('Cwm 🧿😻', 2, 20);
  });
}
