import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { ProjectChange } from 'whorl/wire';
import { OperatorError } from '../ground/operator-error.js';
import { readText } from './files.js';
import { projectOption, withService } from './with-service.js';

/** `project apply --dry-run` found changes. */
export class DriftFound extends Error {
  constructor() {
    super('The project differs from the file.');
    this.name = 'DriftFound';
  }
}

interface ApplyOptions {
  readonly project: string;
  readonly dryRun: boolean;
}

export function addProjectFileCommands(project: Command): void {
  project
    .command('export')
    .description(
      'Print settings, lists and webhook endpoints of a project as JSON, without secrets (docs/settings-as-code.md).',
    )
    .addOption(projectOption())
    .action((options: { project: string }) =>
      withService(async (service) => {
        const { exportProject } = await import('../effects/project-file/read-project.js');
        const { file } = await exportProject(service, options);
        console.log(JSON.stringify(file, undefined, 2));
      }),
    );
  project
    .command('apply')
    .description(
      'Change settings, lists and webhook endpoints of a project to those of a file, and show the changes: + added, - removed, ' +
        '~ changed. Nothing is changed if anything is invalid.',
    )
    .argument('<file>', 'JSON as "project export" prints it; - for standard input')
    .addOption(projectOption())
    .option('--dry-run', 'only show the changes; exit with code 3 if there are any', false)
    .action(apply);
}

async function apply(path: string, { project, dryRun }: ApplyOptions): Promise<void> {
  const file = await readJson(path);
  await withService(async (service) => {
    const { applyProjectFile } = await import('../effects/project-file/apply.js');
    const { commandLine } = await import('../resources/projects/setting-log.js');
    const { changes } = await applyProjectFile(service, { project, file, changedBy: commandLine, isDryRun: dryRun });
    await report(changes, dryRun);
    if (dryRun && changes.length > 0) throw new DriftFound();
  });
}

async function report(changes: readonly ProjectChange[], isDryRun: boolean): Promise<void> {
  const { describeChange } = await import('../effects/project-file/rules/changes.js');
  for (const change of changes) console.log(describeChange(change));
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  if (changes.length === 0) console.log('No changes.');
  else console.log(isDryRun ? `${count}, not applied.` : `${count} applied.`);
  const hasEndpoint = changes.some(({ change, path }) => change === 'added' && path.startsWith('webhooks.'));
  if (hasEndpoint && !isDryRun) {
    console.log('"webhooks rotate --keep-hours 0" shows a signing secret for a new webhook endpoint.');
  }
}

/** @throws OperatorError if the file cannot be read or is not JSON. */
async function readJson(path: string): Promise<unknown> {
  const content = path === '-' ? await text(process.stdin) : await readText(path);
  try {
    return JSON.parse(content.replace(/^\ufeff/, ''));
  } catch (cause) {
    const { jsonFault } = await import('../http/body.js');
    const fault = jsonFault(content);
    const where = fault ? `: ${fault.what} at line ${fault.line}, column ${fault.column}` : '';
    throw new OperatorError(`The file is not valid JSON${where}.`, { cause });
  }
}
