import { hash32 } from '../../fingerprint/hash.js';
import type { ReadingValue } from '../result.js';

/**
 * Reads which CSS properties the browser supports. Nearly every version adds some.
 *
 * The names on `window` are not used, because they also depend on https, frames, the page and its extensions. Chromium
 * has the property names on the style object itself, and other engines on its prototype. For speed, only the length and
 * two letters of each of the hundreds of names are hashed. No version has replaced one name by another that is equal in
 * these.
 */
export function surface(): ReadingValue {
  const { style } = document.documentElement;
  const names = [style, Object.getPrototypeOf(style)].flatMap(Object.getOwnPropertyNames);
  return [
    names.length,
    hash32(names.map((name) => (name.length << 16) ^ (name.charCodeAt(0) << 8) ^ name.charCodeAt(name.length - 1))),
  ];
}
