import { type Command, Option } from 'commander';
import type { WorldMode } from '../ground/db/schema/index.js';
import { addProjectFileCommands } from './project-file.js';
import { readPairs } from './settings.js';
import { describeCreated, describeEndpointSecret, withService } from './with-service.js';

const operations = () => import('../resources/projects/projects.js');
const endpoints = () => import('../effects/webhooks/endpoints.js');

interface CreateOptions {
  readonly name: string;
  readonly webhook?: string;
  readonly webhookMode: WorldMode;
}

export function addProjectCommands(program: Command): void {
  const project = program.command('project').description('Create and list projects, and keep their settings in files.');
  project
    .command('create')
    .description('Create a project, and show its four keys once.')
    .argument('[settings...]', 'names and values of initial settings, as in "settings set"')
    .requiredOption('--name <name>', 'unique name')
    .option('--webhook <url>', 'add a webhook endpoint, and show its signing secret, as "webhooks add" does')
    .addOption(
      new Option('--webhook-mode <mode>', 'world of the webhook endpoint').choices(['live', 'test']).default('live'),
    )
    .action(create);
  project
    .command('list')
    .description('List all projects, the oldest first: ID, time of creation, name.')
    .action(() =>
      withService(async (service) => {
        const { listProjects } = await operations();
        for (const { id, createdAt, name } of await listProjects(service)) {
          console.log(`${id}  ${createdAt.toISOString()}  ${name}`);
        }
      }),
    );
  addProjectFileCommands(project);
}

async function create(words: readonly string[], { name, webhook, webhookMode }: CreateOptions): Promise<void> {
  const settings = await readPairs(words);
  await withService(async (service) => {
    const { changeSettings, checkNewSettings, createProject } = await operations();
    const { commandLine } = await import('../resources/projects/setting-log.js');
    checkNewSettings(settings);
    if (webhook !== undefined) await (await endpoints()).refuseReceiver(service, webhook);
    const created = await createProject(service, { name });
    // Printed at once, so that a later error does not lose the keys.
    console.log(describeCreated(created));
    const { id: project } = created.project;
    if (words.length > 0) await changeSettings(service, { project, changes: settings, changedBy: commandLine });
    if (webhook === undefined) return;
    const { addEndpoint } = await endpoints();
    console.log(describeEndpointSecret(await addEndpoint(service, { project, mode: webhookMode, url: webhook })));
  });
}
