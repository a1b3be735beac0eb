import { UnsealError, type Vault } from '../../ground/crypto/vault.js';
import type { InputError } from '../../ground/errors.js';
import type { FilterTable } from '../../resources/filters/rules/filter.js';
import { periodFilters } from '../../resources/filters/rules/saved-views.js';
import type { SavedView } from '../../resources/filters/views.js';
import type { Caller, Service } from '../../resources/service.js';
import { findUserByExternalId } from '../../resources/users/queries/users.js';
import { maskEmail, maskPhone } from '../../resources/users/rules/mask.js';

/** Values of filters by name, as in the URL. */
export type ShownFilter = Readonly<Record<string, string>>;

/** Filters as they were entered. */
export interface EnteredFilter {
  /** As in the URL: contacts are sealed, so that they reach no browser history and no log. */
  readonly shown: ShownFilter;
  /** As they were typed. They are not checked yet. */
  readonly typed: ShownFilter;
}

/** Filters of a page, as its form shows them. */
export interface FilterState extends EnteredFilter {
  /** Filters that are not valid. Nothing is then listed. */
  readonly errors: readonly InputError[];
  /** Saved filters of the same list. */
  readonly views: readonly SavedView[];
}

/** Begins a sealed value. No email address and no phone number begins with it. */
const sealedMark = '.';
const maxSealedLength = 1000;

/**
 * Returns the filters of a query or form. Of several values of a filter, the first that is not empty counts; of a date, the
 * first, with the time of day of another one on this day, because the field of a date has no time.
 */
export function enteredFilter(
  { vault }: Service,
  { worldId }: Caller,
  table: FilterTable,
  entered: URLSearchParams,
): EnteredFilter {
  const names = [...Object.keys(table), ...periodFilters];
  const all = names.flatMap((name) => {
    const values = entered.getAll(name).map((value) => (table[name]?.hasSpaces ? value : value.trim()));
    const text = isMoment(table, name) ? withTime(values) : values.find((value) => value.trim() !== '');
    if (!text) return [];
    const isContact = table[name]?.isContact === true;
    return [{ name, ...(isContact ? sealedForms(vault, worldId, text) : { shown: text, typed: text }) }];
  });
  return {
    shown: Object.fromEntries(all.map(({ name, shown }) => [name, shown])),
    typed: Object.fromEntries(all.map(({ name, typed }) => [name, typed])),
  };
}

/** Returns whether the value of a filter is a date or a timestamp. */
export function isMoment(table: FilterTable, name: string): boolean {
  return periodFilters.some((each) => each === name) || table[name]?.isMoment === true;
}

function withTime([date = '', ...others]: readonly string[]): string {
  return others.find((other) => date !== '' && other.startsWith(`${date}T`)) ?? date;
}

/** Returns a contact as it stands in URLs of one world, and as it was typed. */
function sealedForms(vault: Vault, worldId: string, text: string): { readonly shown: string; readonly typed: string } {
  const context = `dashboard.filter ${worldId}`;
  if (text.startsWith(sealedMark)) return { shown: text, typed: openOr(vault, text, context) };
  return { shown: sealedMark + vault.seal(text, context).toString('base64url'), typed: text };
}

/** Returns a sealed text; the value itself, which is no contact, if it was changed or sealed for another world. */
function openOr(vault: Vault, value: string, context: string): string {
  if (value.length > maxSealedLength) return value;
  try {
    return vault.open(Buffer.from(value.slice(sealedMark.length), 'base64url'), context);
  } catch (thrown) {
    if (thrown instanceof UnsealError) return value;
    throw thrown;
  }
}

/** Returns a valid contact as it may be shown. */
export function maskContact(name: string, text: string): string {
  return name === 'phone' ? maskPhone(text) : maskEmail(text);
}

/**
 * Returns the service's ID of a user by the customer's; undefined if there is none. Spaces around it count only if there is
 * such a user.
 */
export async function userIdOf({ db }: Service, { worldId }: Caller, externalId: string): Promise<string | undefined> {
  const exact = await findUserByExternalId(db, worldId, externalId);
  return (exact ?? (await findUserByExternalId(db, worldId, externalId.trim())))?.id;
}
