import { isDeepStrictEqual } from 'node:util';
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
    const [removed, added] = [without(from, to), without(to, from)];
    if (removed.length + added.length > 0) return [{ what, isList: true, from: show(removed), to: show(added) }];
  }
  return [{ what, isList: false, from: show(from), to: show(to) }];
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
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
