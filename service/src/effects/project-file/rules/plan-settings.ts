import { isDeepStrictEqual } from 'node:util';
import { describeIssue, issuesByName, pathOf } from '../../../ground/issue-rules.js';
import { unknownField } from '../../../ground/name-rules.js';
import { checkSettings } from '../../../resources/projects/rules/project-settings/checks.js';
import { effective } from '../../../resources/projects/rules/project-settings/effective.js';
import { settingField, settingNames } from '../../../resources/projects/rules/project-settings/fields.js';
import { unknownSettings } from '../../../resources/projects/rules/project-settings/unknown.js';
import { defaultSettings, type Settings, settingsSchema } from '../../../resources/projects/rules/settings.js';
import type { FileIssue } from './read-file.js';

type Stored = Readonly<Record<string, unknown>>;

export interface SettingsPlan {
  /** The settings to store, without defaults. */
  readonly after: Record<string, unknown>;
  /** The same with defaults. */
  readonly complete: Settings;
  readonly issues: readonly FileIssue[];
}

/** Returns the complete settings of a project. An invalid stored value counts as the default. */
export function completeSettings(stored: Stored): Settings {
  const valid = settingNames.filter((name) => effective(stored, name) !== undefined);
  return settingsSchema.parse(Object.fromEntries(valid.map((name) => [name, stored[name]])));
}

/**
 * Returns the settings after those of a file replaced the stored ones. Only values that differ are checked and stored: a
 * file that changes nothing is always valid. A value that equals its default is not stored, so that it follows changes
 * of the default.
 */
export function planSettings(stored: Stored, wanted: Stored): SettingsPlan {
  const { error } = settingsSchema.safeParse(wanted, { error: describeIssue });
  const malformed = new Set((error?.issues ?? []).map(({ path: [name] }) => name));
  const wellFormed = Object.entries(wanted).filter(([name]) => !malformed.has(name));
  const complete = settingsSchema.parse(Object.fromEntries(wellFormed));
  const changed = settingNames.filter(
    (name) => !malformed.has(name) && !isDeepStrictEqual(effective(stored, name), complete[name]),
  );
  const after: Record<string, unknown> = { ...stored };
  for (const name of changed) {
    if (isDeepStrictEqual(complete[name], defaultSettings[name])) delete after[name];
    else after[name] = wanted[name];
  }
  const found = [...unknownSettings(wanted), ...checkSettings(complete, changed)];
  const issues = [
    ...found.map(({ path, message }) => ({ path: pathOf(path), message })),
    ...issuesByName(error?.issues ?? [], namesAt, unknownField),
  ];
  return { after, complete, issues: issues.map(({ path, message }) => ({ path: `settings.${path}`, message })) };
}

/** Returns the actions or the reasons of the policy, which are the only names that the schema checks. */
function namesAt([setting, ...column]: readonly PropertyKey[]): readonly string[] {
  const name = settingNames.find((each) => each === setting);
  const field = name && settingField(name).field;
  if (field?.kind !== 'table') return [];
  return column.length === 0 ? field.columns : field.rows;
}
