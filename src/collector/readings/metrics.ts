import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * How wide and tall two of the generic fonts are. Measured large, where no engine rounds to whole pixels or hints, so that
 * neither zoom nor the display's scale moves them; rounded, since engines changed how many digits they keep.
 */
export async function metrics({ drawing, pause }: ReadingContext): Promise<ReadingValue | undefined> {
  const context = drawing();
  if (!context) return undefined;
  const sizes = [];
  for (const family of ['serif', 'monospace']) {
    await pause();
    context.font = `512px ${family}`;
    const { width, actualBoundingBoxAscent } = context.measureText('mmMwWLliI0O&1');
    sizes.push(Math.round(width / 8), Math.round(actualBoundingBoxAscent / 8));
  }
  return sizes;
}
