import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../ground/operator-error.js';
import type { Settings } from '../resources/projects/rules/settings.js';
import { parseJson, projectOption, withService } from './with-service.js';

const operations = () => import('../resources/projects/projects.js');

interface ProjectChoice {
  readonly project: string;
}

export function addSettingsCommands(program: Command): void {
  const settings = program.command('settings').description("Read and change a project's settings (docs/settings.md).");
  settings
    .command('get')
    .description('Show one setting, or all settings, as JSON.')
    .argument('[name]', 'name of the setting')
    .addOption(projectOption())
    .action(async (name: string | undefined, { project }: ProjectChoice) => {
      const known = name === undefined ? undefined : await knownName(name);
      await withService(async (service) => {
        const { readSettings } = await operations();
        const all = await readSettings(service, { project });
        show(known === undefined ? all : all[known]);
      });
    });
  settings
    .command('set')
    .description('Change a setting, and show its new value. Running processes apply it within a second.')
    .argument('<name>', 'name of the setting')
    .argument('<json>', 'new value, which replaces the previous one as a whole', parseJson)
    .argument('[more...]', 'names and values of further settings, changed in the same transaction')
    .addOption(projectOption())
    .action(async (name: string, value: unknown, more: readonly string[], { project }: ProjectChoice) =>
      change(project, { [await knownName(name)]: value, ...(await readPairs(more)) }),
    );
  settings
    .command('reset')
    .description('Reset a setting to its default.')
    .argument('<name>', 'name of the setting')
    .addOption(projectOption())
    .action(async (name: string, { project }: ProjectChoice) =>
      change(project, { [await knownName(name)]: undefined }),
    );
}

function change(project: string, changes: Readonly<SettingPairs>): Promise<void> {
  return withService(async (service) => {
    const { changeSettings } = await operations();
    const { commandLine } = await import('../resources/projects/setting-log.js');
    const all = await changeSettings(service, { project, changes, changedBy: commandLine });
    for (const name of Object.keys(changes)) show(all[await knownName(name)]);
  });
}

function show(value: unknown): void {
  console.log(JSON.stringify(value, undefined, 2));
}

export type SettingPairs = Partial<Record<keyof Settings, unknown>>;

/**
 * Parses alternating names and JSON values of settings.
 *
 * @throws OperatorError if a name or value is not valid.
 */
export async function readPairs(words: readonly string[]): Promise<SettingPairs> {
  const pairs: SettingPairs = {};
  for (let index = 0; index < words.length; index += 2) {
    const [name = '', json] = words.slice(index);
    if (json === undefined) throw new OperatorError(`The value of ${name} is missing.`);
    try {
      pairs[await knownName(name)] = parseJson(json);
    } catch (error) {
      // Commander adds the name only for arguments that it parses itself.
      throw error instanceof InvalidArgumentError ? new OperatorError(`${name}: ${error.message}`) : error;
    }
  }
  return pairs;
}

/** @throws OperatorError if there is no such setting. */
async function knownName(name: string): Promise<keyof Settings> {
  const { settingsSchema } = await import('../resources/projects/rules/settings.js');
  const known = settingsSchema.keyof().safeParse(name);
  if (known.success) return known.data;
  const { replacedSetting } = await import('../resources/projects/rules/project-settings/replaced.js');
  const replaced = replacedSetting(name);
  if (replaced !== undefined) throw new OperatorError(`The setting "${name}" ${replaced}.`);
  throw new OperatorError(`There is no setting "${name}". "settings get" shows all settings.`);
}
