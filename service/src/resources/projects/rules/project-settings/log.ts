import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../../ground/record-rules.js';
import { defaultSettings, settingsSchema } from '../settings.js';
import { type SettingName, settingNames } from './fields.js';

/** One change, as the log shows it. */
export interface LoggedDifference {
  /** Changed setting, such as `device_limit.overall`, or action, such as `key_revoked`. */
  readonly what: string;
  /** For a list, `from` holds removed entries and `to` added ones. */
  readonly isList: boolean;
  readonly from: string;
  readonly to: string;
}

/** Logged values before and after a change, by name. */
export type LoggedChanges = Readonly<Record<string, unknown>>;

/** Returns the differences in an entry of the log, down to single values and list entries. */
export function differencesOf(changes: LoggedChanges): LoggedDifference[] {
  return Object.entries(changes).flatMap(([name, change]) => {
    const { from, to } = ends(change);
    const known = settingNames.find((setting) => setting === name);
    if (known) return compare(name, complete(known, from), complete(known, to));
    return [{ what: name, isList: false, from: show(from), to: show(to) }];
  });
}

/** Returns the values before and after a change, without one that is missing. */
export function presentEnds({ from, to }: LoggedDifference): string {
  return [from, to].filter((end) => end !== 'none').join(' → ');
}

function ends(change: unknown): { from: unknown; to: unknown } {
  const { from = null, to = null } = asRecord(change) ?? {};
  return { from, to };
}

/** The log stores null for a setting at its default, and omits default values within a setting. */
function complete(name: SettingName, value: unknown): unknown {
  if (value === null) return defaultSettings[name];
  const read = settingsSchema.shape[name].safeParse(value);
  return read.success ? read.data : value;
}

function compare(what: string, from: unknown, to: unknown): LoggedDifference[] {
  if (isDeepStrictEqual(from, to)) return [];
  const [left, right] = [asRecord(from), asRecord(to)];
  if (left || right) {
    const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
    return [...keys].flatMap((key) => compare(`${what}.${key}`, left?.[key], right?.[key]));
  }
  if (Array.isArray(from) && Array.isArray(to)) {
    if (isNamed(from) && isNamed(to)) return compareNamed(what, from, to);
    const [removed, added] = [without(from, to), without(to, from)];
    if (removed.length + added.length > 0) return [{ what, isList: true, from: show(removed), to: show(added) }];
  }
  return [{ what, isList: false, from: show(from), to: show(to) }];
}

/** Compares lists of rules, by their names: what changed of a rule is shown, and not the whole rule. */
function compareNamed(what: string, from: readonly Named[], to: readonly Named[]): LoggedDifference[] {
  const before = new Map(from.map((entry) => [entry.name, shown(entry)]));
  const after = new Map(to.map((entry) => [entry.name, shown(entry)]));
  const ends = [...before.values()].filter(({ name }) => !after.has(name));
  const begins = [...after.values()].filter(({ name }) => !before.has(name));
  const changed = [...after.values()].flatMap((entry) => {
    const earlier = before.get(entry.name);
    return earlier ? compare(`${what} “${entry.name}”`, earlier, entry) : [];
  });
  const whole = { what, isList: true, from: show(ends), to: show(begins) };
  const order = { what: `${what}, order`, isList: false, from: namesOf(from), to: namesOf(to) };
  const isMoved = ends.length + begins.length === 0 && order.from !== order.to;
  return [...(ends.length + begins.length > 0 ? [whole] : []), ...changed, ...(isMoved ? [order] : [])];
}

interface Named {
  readonly name: string;
}

function isNamed(list: readonly unknown[]): list is readonly Named[] {
  const names = list.map((entry) => asRecord(entry)?.name);
  return names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
}

function namesOf(list: readonly Named[]): string {
  return list.map(({ name }) => name).join(', ');
}

/** Returns a rule as it is shown: it has no empty fields, and one without actions is for all. */
function shown(entry: Named): Named {
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  const fields = Object.entries(entry).map(([name, value]) => [
    name,
    name === 'actions' && isEmpty(value) ? 'all' : value,
  ]);
  return { ...Object.fromEntries(fields.filter(([, value]) => !isEmpty(value))), name: entry.name };
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  return list.filter((entry) => !other.some((each) => isDeepStrictEqual(each, entry)));
}

/** Returns a value as text. */
export function show(value: unknown): string {
  // Policy cells that the project does not change are undefined.
  if (value === undefined) return 'default';
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number' || typeof value === 'string') return String(value);
  if (Array.isArray(value)) return value.length > 0 ? value.map(show).join(', ') : 'none';
  const parts = Object.entries(value).map(([key, part]) => `${key}: ${show(part)}`);
  return parts.length > 0 ? parts.join(', ') : 'none';
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}
