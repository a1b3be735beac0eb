import type { ReadingContext, ReadingValue } from '../result.js';

/** One letter each from Chinese and Devanagari, and a pictograph from 2024. */
const letters = ['漢', 'अ', '🫩'];

/**
 * Measures the width of letters from other scripts in the font that the system falls back to, if any. An added or
 * missing language pack changes the result.
 *
 * The letters are large, so that no engine rounds to whole pixels, and widths are kept only to the precision that all
 * versions keep.
 */
export async function scripts({ drawing, pause }: ReadingContext): Promise<ReadingValue | undefined> {
  const context = drawing();
  if (!context) return undefined;
  context.font = '512px serif';
  let widths: number[] = [];
  for (const letter of letters) {
    await pause();
    widths = [...widths, Math.round(context.measureText(letter).width / 4)];
  }
  return widths;
}
