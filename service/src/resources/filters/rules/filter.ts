import { isDateOrTimestamp, momentForm } from '../../../ground/moment-rules.js';
import { normaliseValue, valueRules } from '../../lists/rules/values.js';

/** Fact by which the rows of a list are filtered. */
export interface Filter<Value> {
  /** Label on the dashboard. */
  readonly title: string;
  /** Description in the API's documentation. */
  readonly description: string;
  /** What a value must be, after "must be". */
  readonly form: string;
  readonly example: Value;
  /** All values. Undefined if there is no list of them. */
  readonly choices?: readonly Value[];
  /** Whether the value says who or where somebody is. It is then neither written to logs nor saved in a view. */
  readonly isPersonal?: true;
  /** Whether the value is a contact. The addresses of the dashboard's pages have it sealed only. */
  readonly isContact?: true;
  /** Whether spaces around the value belong to it. */
  readonly hasSpaces?: true;
  /** Whether the value is a date or a timestamp. */
  readonly isMoment?: true;
  /** Returns the value of a text; undefined if the text is invalid. */
  readonly read: (text: string) => Value | undefined;
}

/** Longest value of any filter, with room for spaces around it. */
export const maxFilterLength = 350;

/** All filters of a list, by name. Rows must match all that are set. */
export type FilterTable = Readonly<Record<string, Filter<string | number | boolean>>>;

type ValueOf<Fact> = Fact extends Filter<infer Value> ? Value : never;

/** Values of the filters that are set, in their normal form. */
export type FilterValues<Table extends FilterTable> = {
  readonly [Name in keyof Table]?: ValueOf<Table[Name]> | undefined;
};

export type FilterWords = Pick<Filter<unknown>, 'title' | 'description'>;

/** An ID, as an example. */
const exampleId = '0195e2c4-7c1a-7b3e-9f00-0123456789ab';

/** Returns a filter whose value is one of several. */
export function choiceFilter<Value extends string>(
  choices: readonly [Value, ...Value[]],
  words: FilterWords,
): Filter<Value> {
  const read = (text: string) => choices.find((value) => value === text);
  return { ...words, form: `one of: ${choices.join(', ')}`, example: choices[0], choices, read };
}

/** Returns a filter whose values are those of a kind of list. */
export function listedFilter(
  kind: Parameters<typeof normaliseValue>[0],
  example: string,
  words: FilterWords,
): Filter<string> {
  const { form, hasSpaces } = valueRules[kind];
  const read = (text: string) => normaliseValue(kind, text);
  return { ...words, form, example, ...(hasSpaces && { hasSpaces }), read };
}

/** Returns a filter whose value is the ID of a user, or of something that belongs to one. */
export function idFilter(what: string, words: FilterWords): Filter<string> {
  return { ...listedFilter('device', exampleId, words), form: `the ID of ${what}`, isPersonal: true };
}

/** Returns a filter whose value is a hardware ID. Few people have the same. */
export function hardwareFilter(description: string): Filter<string> {
  return { ...listedFilter('hardware', exampleId, { title: 'Hardware ID', description }), isPersonal: true };
}

/** Returns a filter whose value is a whole number from 0 to `max`. */
export function countFilter(max: number, words: FilterWords): Filter<number> {
  const read = (text: string) => (/^\d{1,6}$/.test(text) && Number(text) <= max ? Number(text) : undefined);
  return { ...words, form: `a whole number from 0 to ${max}`, example: 3, read };
}

/** Returns a filter whose value is true or false. */
export function flagFilter(words: FilterWords): Filter<boolean> {
  const read = (text: string) => (text === 'true' || text === 'false' ? text === 'true' : undefined);
  return { ...words, form: 'true or false', example: true, choices: [true, false], read };
}

/** Returns a filter whose value is a date or a timestamp. */
export function momentFilter(words: FilterWords): Filter<string> {
  const read = (text: string) => (isDateOrTimestamp(text) ? text : undefined);
  return { ...words, form: momentForm, example: '2026-01-31', isMoment: true, read };
}

/** Returns the filters that are set as text for the audit log, without values that are personal data. */
export function describeFilter(table: FilterTable, filter: object): string {
  const values: [name: string, value: unknown][] = Object.entries(filter);
  return values
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${table[name]?.isPersonal ? '…' : value}`)
    .join(' ');
}
