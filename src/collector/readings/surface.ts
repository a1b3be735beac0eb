import { hash32 } from '../../fingerprint/hash.js';
import type { ReadingValue } from '../result.js';

/**
 * Which CSS properties the browser knows: there are more with nearly every version. Not the names on `window`:
 * those also depend on https, frames, and what the page and its extensions put there. Chromium has the names on the
 * style itself, others on its prototype. Of each of the hundreds of names its length and two of its letters are hashed:
 * code that runs once runs slowly, and no version has renamed one for another so alike.
 */
export function surface(): ReadingValue {
  const { style } = document.documentElement;
  const names = [style, Object.getPrototypeOf(style)].flatMap(Object.getOwnPropertyNames);
  return [
    names.length,
    hash32(names.map((name) => (name.length << 16) ^ (name.charCodeAt(0) << 8) ^ name.charCodeAt(name.length - 1))),
  ];
}
