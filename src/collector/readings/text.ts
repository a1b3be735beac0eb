import { drawAndRead } from '../draw.js';
import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * Draws letters and pictographs, and reads the pixels, which depend on fonts, their versions and the glyph rasteriser.
 *
 * The text is slanted, which rules out hinting and whole-pixel positions: both depend on the display's scale.
 */
export function text({ drawing }: ReadingContext): ReadingValue | undefined {
  return drawAndRead(drawing(), (context) => {
    context.rotate(0.1);
    context.font = '17px sans-serif';
    context.fillText('Cwm 🧿😻', 2, 20);
  });
}
