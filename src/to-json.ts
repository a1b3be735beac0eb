import type { ReadingValue } from './collector/result.js';

/**
 * Returns what `JSON.stringify` returns in a page that has not changed it. Libraries, such as prototype.js, add
 * `toJSON` to lists, and `JSON.stringify` calls it.
 */
export function toJson(value: ReadingValue): string {
  return Array.isArray(value) ? `[${value.map(toJson).join()}]` : JSON.stringify(value);
}
