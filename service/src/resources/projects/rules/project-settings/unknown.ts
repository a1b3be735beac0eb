import { maxNames } from '../../../../ground/issue-rules.js';
import { unknownField } from '../../../../ground/name-rules.js';
import { isRecord } from '../../../../ground/record-rules.js';
import type { SettingIssue } from './checks.js';
import { type Field, settingField, settingNames } from './fields.js';
import { replacedSetting } from './replaced.js';

/** Returns the names of settings, and of their fields, that do not exist. The schema ignores them. */
export function unknownSettings(wanted: Readonly<Record<string, unknown>>): SettingIssue[] {
  const known: readonly string[] = settingNames;
  return firstEntries(wanted).flatMap(([name, value]) => {
    const setting = settingNames.find((each) => each === name);
    if (setting === undefined) return [{ path: [name], message: replacedSetting(name) ?? unknownField(name, known) }];
    return unknownFields(settingField(setting).field, value, [name]);
  });
}

function firstEntries(record: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(record).slice(0, maxNames);
}

function unknownFields(field: Field, value: unknown, path: readonly string[]): SettingIssue[] {
  if (field.kind !== 'group' || !isRecord(value)) return [];
  const fields = new Map(field.fields.map((part) => [part.name.slice(part.name.lastIndexOf('.') + 1), part.field]));
  return firstEntries(value).flatMap(([name, part]) => {
    const known = fields.get(name);
    if (!known) return [{ path: [...path, name], message: unknownField(name, [...fields.keys()]) }];
    return unknownFields(known, part, [...path, name]);
  });
}
