import { reasons } from 'whorl/wire';
import type { FilterTable } from '../../resources/filters/rules/filter.js';
import { countryName } from '../view/address.js';
import { reasonTitle } from '../view/cells.js';
import { timeText } from '../view/parts.js';
import { addressKindWords, matchNames, spaced, wordOf } from '../view/words.js';
import { isMoment, maskContact } from './entered.js';

const periodTitles: Readonly<Record<string, string>> = { start_date: 'Created from', end_date: 'Created to' };
const switchWords: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

/** Returns the label of a filter. */
export function titleOf(table: FilterTable, name: string): string {
  return table[name]?.title ?? periodTitles[name] ?? name;
}

/** Returns a valid value of a filter in words. Contacts are masked. */
export function valueText(table: FilterTable, name: string, value: string): string {
  if (table[name]?.isContact) return maskContact(name, value);
  if (name === 'country') return countryName(value.toUpperCase());
  if (name === 'asn') return `AS${value.replace(/^as/i, '')}`;
  // A date alone is the whole day.
  if (isMoment(table, name)) return value.length > dateLength ? timeText(new Date(value)) : value;
  return table[name]?.choices ? choiceText(name, value) : value;
}

const dateLength = '2026-01-31'.length;

/** Words of values of filters, where those of the API say less. */
const choiceWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  matched_by: matchNames,
  address_kind: addressKindWords,
};

/** Returns one of the values that a filter can have in words. */
export function choiceText(name: string, value: string): string {
  const word = wordOf(choiceWords[name], value);
  if (word !== undefined) return word;
  const reason = name === 'reason' ? reasons.find((one) => one === value) : undefined;
  return reason ? reasonTitle(reason) : (switchWords[value] ?? spaced(value));
}
