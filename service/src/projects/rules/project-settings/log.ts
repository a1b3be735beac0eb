import { isDeepStrictEqual } from 'node:util';
import { defaultSettings, settingsSchema } from '../settings.js';
import { type SettingName, settingNames } from './fields.js';

/** One thing that was changed, as the log shows it. */
export interface LoggedDifference {
  /** The setting and what in it, such as `device_limit.overall`; or what was done, such as `key_revoked`. */
  readonly what: string;
  /** Of a list: `from` is what was taken off it, and `to` what was put on it. */
  readonly isList: boolean;
  readonly from: string;
  readonly to: string;
}

/** What the log has of one change: by name, what it was and what it became. */
export type LoggedChanges = Readonly<Record<string, unknown>>;

/** The differences that an entry of the log tells of, down to single values, and to entries of lists. */
export function differencesOf(changes: LoggedChanges): LoggedDifference[] {
  return Object.entries(changes).flatMap(([name, change]) => {
    const { from, to } = ends(change);
    const known = settingNames.find((setting) => setting === name);
    if (known) return compare(name, complete(known, from), complete(known, to));
    return [{ what: name, isList: false, from: show(from), to: show(to) }];
  });
}

function ends(change: unknown): { from: unknown; to: unknown } {
  const { from = null, to = null } = asRecord(change) ?? {};
  return { from, to };
}

/** The log has null for a setting that was what it is by default, and leaves out what is so within one. */
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
    const [gone, come] = [without(from, to), without(to, from)];
    if (gone.length + come.length > 0) return [{ what, isList: true, from: show(gone), to: show(come) }];
  }
  return [{ what, isList: false, from: show(from), to: show(to) }];
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  return list.filter((entry) => !other.includes(entry));
}

/** A value for people. */
export function show(value: unknown): string {
  // A cell of the policy that the project leaves as it is.
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
