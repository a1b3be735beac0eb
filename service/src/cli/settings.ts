import { type Command, InvalidArgumentError } from 'commander';
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
    .argument('[more...]', 'names and values of others, which are changed together with it')
    .addOption(projectOption())
    .action(async (name: string, value: unknown, more: readonly string[], { project }: ProjectChoice) =>
      change(project, { [knownName(name)]: value, ...readPairs(more) }),
    );
  settings
    .command('reset')
    .description('Give a setting back its default.')
    .argument('<name>', 'which')
    .addOption(projectOption())
    .action(async (name: string, { project }: ProjectChoice) => change(project, { [knownName(name)]: undefined }));
}

function change(project: string, changes: Readonly<Partial<Record<keyof Settings, unknown>>>): Promise<void> {
  return withService(async (service) => {
    const all = await changeSettings(service, { project, changes, changedBy: commandLine });
    for (const name of Object.keys(changes)) show(all[knownName(name)]);
  });
}

/** Names and values by turns. */
function readPairs(words: readonly string[]): Partial<Record<keyof Settings, unknown>> {
  const pairs: Partial<Record<keyof Settings, unknown>> = {};
  for (let index = 0; index < words.length; index += 2) {
    const [name = '', json] = words.slice(index);
    if (json === undefined) throw new OperatorError(`The value of ${name} is missing.`);
    try {
      pairs[knownName(name)] = parseJson(json);
    } catch (error) {
      // Commander says it itself of the arguments that it parses.
      throw error instanceof InvalidArgumentError ? new OperatorError(`${name}: ${error.message}`) : error;
    }
  }
  return pairs;
}

function knownName(name: string): keyof Settings {
  const known = settingsSchema.keyof().safeParse(name);
  if (known.success) return known.data;
  throw new OperatorError(`There is no setting "${name}": "settings get" shows all.`);
}

function show(value: unknown): void {
  console.log(JSON.stringify(value, undefined, 2));
}
