import type { Command } from 'commander';
import { describeCreated } from './describe.js';
import { withService } from './with-service.js';

const operations = () => import('../operations/projects.js');

export function addProjectCommands(program: Command): void {
  const project = program.command('project').description('Make and list projects.');
  project
    .command('create')
    .description('Make a project, and show its four keys, which nobody can read again.')
    .requiredOption('--name <name>', 'its name, which no other project has')
    .action(({ name }: { name: string }) =>
      withService(async (service) => {
        const { createProject } = await operations();
        console.log(describeCreated(await createProject(service, { name })));
      }),
    );
  project
    .command('list')
    .description('List all projects: id, when it was made, name; the oldest first.')
    .action(() =>
      withService(async (service) => {
        const { listProjects } = await operations();
        for (const { id, createdAt, name } of await listProjects(service)) {
          console.log(`${id}  ${createdAt.toISOString()}  ${name}`);
        }
      }),
    );
}
