import type { ReadingContext, ReadingValue } from '../result.js';

/** A letter each of: Chinese, Devanagari, Ethiopic, Adlam, a pictograph of 2024. */
const letters = ['漢', 'अ', 'አ', '𞤀', '🫩'];

/**
 * How wide the letters of other scripts are: each comes from whatever font the system falls back to, or none, so a
 * missing or added language pack shows. Measured large, where no engine rounds to whole pixels, and only to the
 * precision that all versions keep.
 */
export async function scripts({ drawing, pause }: ReadingContext): Promise<ReadingValue | undefined> {
  const context = drawing();
  if (!context) return undefined;
  context.font = '512px serif';
  const widths = [];
  for (const letter of letters) {
    await pause();
    widths.push(Math.round(context.measureText(letter).width / 4));
  }
  return widths;
}
