import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { OperatorError } from '../../ground/operator-error.js';
import type { Service, Transaction } from '../service.js';
import { forgetCallers } from './callers.js';
import { findProject } from './find-project.js';
import { lockProjects, type ProjectRow, saveSettings } from './queries/projects.js';
import { checkSettings, type SettingIssue } from './rules/project-settings/checks.js';
import { effective } from './rules/project-settings/effective.js';
import { type SettingName, settingNames } from './rules/project-settings/fields.js';
import { versionOf } from './rules/project-settings/form.js';
import { replacedSetting } from './rules/project-settings/replaced.js';
import { unknownSettings } from './rules/project-settings/unknown.js';
import { type Settings, settingsSchema } from './rules/settings.js';
import { type LoggedChange, logChanges } from './setting-log.js';

/** Returns the complete settings of a project. `project`: name or ID. */
export async function readSettings({ db }: Pick<Service, 'db'>, { project }: { project: string }): Promise<Settings> {
  return settingsSchema.parse((await findProject(db, project)).settings);
}

export interface SettingChanges {
  /** Name or ID. */
  readonly project: string;
  /** New values by name; undefined restores the default. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Who makes the change, for the audit log. */
  readonly changedBy: string;
  /** Network from where the change is made. Default: none. */
  readonly network?: string | undefined;
  /** Version of the settings that the changes are based on. Default: any. */
  readonly startingFrom?: { readonly names: readonly SettingName[]; readonly version: string };
}

/** A setting has an invalid value. */
export class InvalidSettings extends OperatorError {
  readonly issues: readonly SettingIssue[];

  constructor(issues: readonly SettingIssue[], text: string) {
    super(`Invalid settings: ${text}`);
    this.name = 'InvalidSettings';
    this.issues = issues;
  }
}

/** The settings were changed by someone else in the meantime. */
export class SettingsHaveChanged extends OperatorError {
  constructor() {
    super('The settings were changed in the meantime. Reload them and try again.');
    this.name = 'SettingsHaveChanged';
  }
}

/**
 * Changes settings and records the changes in the audit log. Each value replaces the previous one completely.
 *
 * @returns The settings after the change.
 * @throws OperatorError if the project or a setting does not exist; InvalidSettings; SettingsHaveChanged
 */
export async function changeSettings(service: Service, change: SettingChanges): Promise<Settings> {
  const { project, changes, changedBy, network, startingFrom } = change;
  const names = Object.keys(changes);
  const unknown = names.find((name) => !(name in settingsSchema.shape));
  if (unknown !== undefined) {
    const replaced = replacedSetting(unknown);
    if (replaced !== undefined) throw new OperatorError(`The setting "${unknown}" ${replaced}.`);
    throw new OperatorError(`There is no setting "${unknown}". docs/settings.md lists all settings.`);
  }
  const misspelt = unknownSettings(changes);
  if (misspelt.length > 0) throw invalidSettings(misspelt);
  const settings = await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const row = await findProject(trx, project);
    if (startingFrom && !isVersion(row.settings, startingFrom)) throw new SettingsHaveChanged();
    const after = withoutUndefined({ ...row.settings, ...changes });
    const complete = parse(after, names);
    await storeSettings(trx, service, { project: row, after, complete, changedBy, network });
    return complete;
  });
  forgetCallers(service);
  return settings;
}

export interface SettingsToStore {
  readonly project: ProjectRow;
  /** Valid settings, without defaults. */
  readonly after: Record<string, unknown>;
  /** The same with defaults. */
  readonly complete: Settings;
  readonly changedBy: string;
  readonly network?: string | undefined;
}

/** Replaces the stored settings and records the changes in the audit log. Call it with changes to projects locked. */
export async function storeSettings(
  trx: Transaction,
  service: Pick<Service, 'newId' | 'now' | 'vault'>,
  { project: { id, settings: before }, after, complete, changedBy, network }: SettingsToStore,
): Promise<void> {
  if (!isDeepStrictEqual(before, after)) await saveSettings(trx, id, after);
  const changed = settingNames.filter((name) => !isDeepStrictEqual(effective(before, name), complete[name]));
  if (changed.length === 0) return;
  const difference = changed.map((name): [string, LoggedChange] => [name, { from: before[name], to: after[name] }]);
  await logChanges(trx, service, { projectId: id, changedBy, network, changes: Object.fromEntries(difference) });
}

function isVersion(stored: Record<string, unknown>, { names, version }: NonNullable<SettingChanges['startingFrom']>) {
  const { data } = settingsSchema.safeParse(stored);
  return data !== undefined && versionOf(names, data) === version;
}

/** Checks settings for a new project. @throws InvalidSettings */
export function checkNewSettings(settings: Readonly<Record<string, unknown>>): void {
  parse(settings, Object.keys(settings));
}

/** Returns a project's settings with changes, which are not saved. @throws InvalidSettings */
export function draftSettings(settings: Settings, changes: Readonly<Record<string, unknown>>): Settings {
  return parse({ ...settings, ...changes }, Object.keys(changes));
}

function parse(settings: Record<string, unknown>, changed: readonly string[]): Settings {
  const { success, data, error } = settingsSchema.safeParse(settings);
  if (!success) {
    const text = z.prettifyError(error).replaceAll(/\s+/g, ' ');
    throw new InvalidSettings([...error.issues, ...checkRest(settings, changed, error.issues)], text);
  }
  const issues = checkSettings(data, changed);
  if (issues.length === 0) return data;
  throw invalidSettings(issues);
}

function invalidSettings(issues: readonly SettingIssue[]): InvalidSettings {
  const text = issues.map(({ path, message }) => `${path.map(String).join('.')} ${message}`).join('; ');
  return new InvalidSettings(issues, text.endsWith('?') ? text : `${text}.`);
}

/** Checks the well-formed settings as well, so that all problems are reported at once. */
function checkRest(
  settings: Record<string, unknown>,
  changed: readonly string[],
  issues: readonly SettingIssue[],
): SettingIssue[] {
  const malformed = new Set(issues.map(({ path: [name] }) => name));
  const rest = Object.fromEntries(Object.entries(settings).filter(([name]) => !malformed.has(name)));
  const { data } = settingsSchema.safeParse(rest);
  return data ? checkSettings(data, changed) : [];
}

function withoutUndefined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
