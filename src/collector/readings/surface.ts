import { codeUnits, hash32 } from '../../fingerprint/hash.js';
import type { ReadingValue } from '../result.js';

/**
 * The names of all CSS properties that the browser knows: they grow with nearly every version. Not the names on
 * `window`: those also depend on https, frames, and what the page and its extensions put there.
 */
export function surface(): ReadingValue {
  const names = [];
  for (const name in document.documentElement.style) names.push(name);
  return [names.length, hash32(codeUnits(names.join()))];
}
