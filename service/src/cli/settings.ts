import type { Command } from 'commander';
import { type Settings, settingsSchema } from '../domain/settings.js';
import { changeSettings, readSettings } from '../operations/projects.js';
import { commandLine } from '../operations/setting-log.js';
import { OperatorError } from '../operator-error.js';
import { parseJson, projectOption } from './options.js';
import { withService } from './with-service.js';

interface ProjectChoice {
  readonly project: string;
}

export function addSettingsCommands(program: Command): void {
  const settings = program.command('settings').description("Read and change a project's settings (docs/settings.md).");
  settings
    .command('get')
    .description('Show one setting, or all, as JSON.')
    .argument('[name]', 'which')
    .addOption(projectOption())
    .action(async (name: string | undefined, { project }: ProjectChoice) => {
      const known = name === undefined ? undefined : knownName(name);
      await withService(async (service) => {
        const all = await readSettings(service, { project });
        show(known === undefined ? all : all[known]);
      });
    });
  settings
    .command('set')
    .description('Change a setting, and show it as it is now. Processes that run follow within a second.')
    .argument('<name>', 'which')
    .argument('<json>', 'its new value, as a whole', parseJson)
    .addOption(projectOption())
    .action(async (name: string, value: unknown, { project }: ProjectChoice) =>
      change(project, knownName(name), value),
    );
  settings
    .command('reset')
    .description('Give a setting back its default.')
    .argument('<name>', 'which')
    .addOption(projectOption())
    .action(async (name: string, { project }: ProjectChoice) => change(project, knownName(name), undefined));
}

function change(project: string, name: keyof Settings, value: unknown): Promise<void> {
  return withService(async (service) => {
    const all = await changeSettings(service, { project, changes: { [name]: value }, changedBy: commandLine });
    show(all[name]);
  });
}

function knownName(name: string): keyof Settings {
  const known = settingsSchema.keyof().safeParse(name);
  if (known.success) return known.data;
  throw new OperatorError(`There is no setting "${name}": "settings get" shows all.`);
}

function show(value: unknown): void {
  console.log(JSON.stringify(value, undefined, 2));
}
