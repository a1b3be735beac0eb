import type { ReadingContext, ReadingValue } from '../result.js';

/**
 * Measures the width and height of text in two generic fonts.
 *
 * The text is large, so that no engine rounds to whole pixels or applies hinting, and neither zoom nor display scale
 * changes the result. Values are rounded, because engines have changed how many digits they keep.
 */
export async function metrics({ drawing, pause }: ReadingContext): Promise<ReadingValue | undefined> {
  const context = drawing();
  if (!context) return undefined;
  let sizes: number[] = [];
  for (const family of ['serif', 'sans-serif']) {
    await pause();
    context.font = `512px ${family}`;
    const { width, actualBoundingBoxAscent } = context.measureText('mmMwWLliI0O&1');
    sizes = [...sizes, Math.round(width / 8), Math.round(actualBoundingBoxAscent / 8)];
  }
  return sizes;
}
