import { z } from 'zod';
import { type Settings, settingsSchema } from '../domain/settings.js';
import { OperatorError } from '../operator-error.js';
import type { Service } from '../service.js';
import { insertSettingChange, lockProjects, saveSettings } from '../store/queries/projects.js';
import { forgetCallers } from './callers.js';
import { findProject } from './find-project.js';

/** A project's settings, complete. `project`: name or id. */
export async function readSettings({ db }: Service, { project }: { project: string }): Promise<Settings> {
  return settingsSchema.parse((await findProject(db, project)).settings);
}

export interface SettingChanges {
  /** Name or id. */
  readonly project: string;
  /** New values by name; undefined goes back to the default. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Who did it, for the record of changes. */
  readonly changedBy: string;
}

/**
 * Changes settings, and records who changed what. Each value replaces the one before as a whole.
 *
 * @returns The settings as they are now.
 * @throws OperatorError if there is no such project or setting, or a value is not valid.
 */
export async function changeSettings(
  service: Service,
  { project, changes, changedBy }: SettingChanges,
): Promise<Settings> {
  const names = Object.keys(changes);
  const unknown = names.find((name) => !(name in settingsSchema.shape));
  if (unknown !== undefined) throw new OperatorError(`There is no setting "${unknown}".`);
  const settings = await service.db.transaction().execute(async (trx) => {
    await lockProjects(trx);
    const { id, settings: before } = await findProject(trx, project);
    const after = withoutUndefined({ ...before, ...changes });
    const complete = parse(after);
    await saveSettings(trx, id, after);
    const difference = Object.fromEntries(
      names.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]),
    );
    await insertSettingChange(trx, {
      id: service.newId(),
      projectId: id,
      changedBy,
      changes: difference,
      now: service.now(),
    });
    return complete;
  });
  forgetCallers(service);
  return settings;
}

function parse(settings: Record<string, unknown>): Settings {
  const { success, data, error } = settingsSchema.safeParse(settings);
  if (success) return data;
  throw new OperatorError(`Not a valid setting: ${z.prettifyError(error).replaceAll(/\s+/g, ' ')}`);
}

function withoutUndefined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
