import type { Command } from 'commander';
import { parseJson, projectOption } from './options.js';
import { knownName, readPairs, type SettingPairs } from './setting-pairs.js';
import { withService } from './with-service.js';

const operations = () => import('../projects/projects.js');

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
      const known = name === undefined ? undefined : await knownName(name);
      await withService(async (service) => {
        const { readSettings } = await operations();
        const all = await readSettings(service, { project });
        show(known === undefined ? all : all[known]);
      });
    });
  settings
    .command('set')
    .description('Change a setting, and show it as it is now. Processes that run follow within a second.')
    .argument('<name>', 'which')
    .argument('<json>', 'its new value, as a whole', parseJson)
    .argument('[more...]', 'names and values of others, which are changed together with it')
    .addOption(projectOption())
    .action(async (name: string, value: unknown, more: readonly string[], { project }: ProjectChoice) =>
      change(project, { [await knownName(name)]: value, ...(await readPairs(more)) }),
    );
  settings
    .command('reset')
    .description('Give a setting back its default.')
    .argument('<name>', 'which')
    .addOption(projectOption())
    .action(async (name: string, { project }: ProjectChoice) =>
      change(project, { [await knownName(name)]: undefined }),
    );
}

function change(project: string, changes: Readonly<SettingPairs>): Promise<void> {
  return withService(async (service) => {
    const { changeSettings } = await operations();
    const { commandLine } = await import('../projects/setting-log.js');
    const all = await changeSettings(service, { project, changes, changedBy: commandLine });
    for (const name of Object.keys(changes)) show(all[await knownName(name)]);
  });
}

function show(value: unknown): void {
  console.log(JSON.stringify(value, undefined, 2));
}
