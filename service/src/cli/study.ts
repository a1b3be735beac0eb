import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { WorldMode } from '../ground/db/schema/index.js';
import { fileError } from './files.js';
import { modeOption, parseWhole, projectOption, withService } from './with-service.js';

interface StudyCommandOptions {
  readonly project: string;
  readonly mode: WorldMode;
  readonly k: number;
  readonly maxKeys: number;
  readonly seed: number;
  readonly json: boolean;
  readonly out?: string;
}

export function addStudyCommand(program: Command): void {
  program
    .command('study')
    .description(
      'Measure how well fingerprints recognise the browsers of a project, and print a report of aggregates. It changes ' +
        'nothing and sends nothing (docs/research/study.md).',
    )
    .addOption(projectOption())
    .addOption(modeOption().default('live'))
    .option('--k <devices>', 'lowest number of devices behind each figure', parseWhole(5, 10_000), 20)
    .option('--max-keys <keys>', 'maximum number of keys, drawn at random', parseWhole(200, 100_000), 20_000)
    .option('--seed <number>', 'seed of all random choices', parseWhole(0, 2 ** 31 - 1), 1)
    .option('--json', 'print JSON instead of Markdown', false)
    .option('--out <name>', 'write <name>.json and <name>.md instead of printing')
    .action((options: StudyCommandOptions) =>
      withService(async (service) => {
        const [{ findCommandCaller }, { runStudy }, { describeStudy }] = await Promise.all([
          import('../resources/projects/command-caller.js'),
          import('../effects/study/run-study.js'),
          import('../effects/study/rules/report-text.js'),
        ]);
        const { worldId } = await findCommandCaller(service, options);
        const report = await runStudy(service, worldId, options);
        const json = JSON.stringify(report, null, 2);
        if (options.out === undefined) return console.log(options.json ? json : describeStudy(report));
        await write(`${options.out}.json`, `${json}\n`);
        await write(`${options.out}.md`, describeStudy(report));
      }),
    );
}

/** @throws OperatorError if the file cannot be written. */
async function write(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw fileError(path, 'written', cause);
  }
  console.log(`Wrote ${path}.`);
}
