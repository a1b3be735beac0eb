import { isDateOrTimestamp } from '../../../ground/moment-rules.js';
import { isStorable } from '../../../ground/text-rules.js';
import { type FilterTable, maxFilterLength } from './filter.js';

/** Maximum number of views of one list of a world. */
export const maxViews = 50;

/** Maximum length of a view's name, in characters. */
export const maxViewName = 60;

/** Filters that every list has beside those of its table. */
export const periodFilters = ['start_date', 'end_date'] as const;

/** Values of filters as text, by the name of the filter. */
export type ViewFilter = Readonly<Record<string, string>>;

/** Returns what is wrong with the name of a view, after "The name"; undefined if it is valid. */
export function viewNameProblem(name: string): string | undefined {
  if (name === '') return 'must not be empty';
  if ([...name].length > maxViewName) return `must have at most ${maxViewName} characters`;
  return /\p{Cc}/u.test(name) || !isStorable(name) ? 'must be one line of text' : undefined;
}

/**
 * Returns the names of the filters that a view cannot have: they say who or where somebody is, and a view stands in URLs,
 * is shown to all members and outlives the erasure of a user.
 */
export function personalFilters(table: FilterTable, filter: ViewFilter): string[] {
  return Object.keys(filter).filter((name) => table[name]?.isPersonal);
}

/** Returns whether all filters of a view exist and are valid. They may be those of another version. */
export function isUnderstood(table: FilterTable, filter: ViewFilter): boolean {
  return Object.entries(filter).every(([name, text]) => {
    if (text.length > maxFilterLength) return false;
    if (periodFilters.some((each) => each === name)) return isDateOrTimestamp(text);
    return Object.hasOwn(table, name) && table[name]?.read(text) !== undefined;
  });
}

/** Returns whether two views show the same rows. */
export function isSameFilter(one: ViewFilter, other: ViewFilter): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
