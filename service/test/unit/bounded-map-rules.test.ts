import { expect, test } from 'vitest';
import { rememberNewest } from '../../src/ground/bounded-map-rules.js';

test('the newest results are kept, and older ones computed again', () => {
  const computed: string[] = [];
  const length = rememberNewest((text) => {
    computed.push(text);
    return text.length;
  }, 2);
  expect(['', '', 'a', 'a', 'bc', 'bc', 'a', ''].map(length)).toEqual([0, 0, 1, 1, 2, 2, 1, 0]);
  expect(computed).toEqual(['', 'a', 'bc', '']);
});
