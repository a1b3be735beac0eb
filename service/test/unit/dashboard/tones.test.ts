import { describe, expect, test } from 'vitest';
import { badge } from '../../../src/dashboard/view/parts.js';
import { styles } from '../../../src/dashboard/view/styles.js';
import { chartColourOf, toneOf } from '../../../src/dashboard/view/tones.js';
import { verdictWords } from '../../../src/dashboard/view/words.js';

const verdicts = Object.keys(verdictWords);
const words = [...verdicts, 'pending', 'completed', 'skipped', 'expired'];

describe('colours', () => {
  test('mean the same in badges and in charts', () => {
    const colours = new Map(words.map((word) => [toneOf(word), chartColourOf(word)]));
    for (const word of words) {
      expect(String(badge(word))).toContain(`class="badge ${toneOf(word)}"`);
      expect(chartColourOf(word)).toBe(colours.get(toneOf(word)));
      expect(styles).toContain(`--${chartColourOf(word)}: light-dark(`);
    }
    expect(new Set(colours.values()).size).toBe(colours.size);
  });

  test('tell all verdicts apart', () => {
    expect(new Set(verdicts.map(toneOf)).size).toBe(verdicts.length);
  });

  test('of a word without a meaning of its own are neutral', () => {
    expect(toneOf('toString')).toBe('neutral');
  });
});
