import { type Command, Option } from 'commander';
import { rotateKey } from '../operations/projects.js';
import type { KeyKind, KeyMode } from '../secrets/index.js';
import { parseHours, projectOption } from './options.js';
import { withService } from './with-service.js';

const DEFAULT_KEEP_HOURS = 24;

interface RotateOptions {
  readonly project: string;
  readonly mode: KeyMode;
  readonly kind: KeyKind;
  readonly keepHours: number;
}

export function addKeyCommands(program: Command): void {
  program
    .command('keys')
    .description('Rotate keys.')
    .command('rotate')
    .description('Make a new key and show it once. The one before stays good for a while; an older one ends at once.')
    .addOption(projectOption())
    .addOption(new Option('--mode <mode>', 'of which world').choices(['live', 'test']).makeOptionMandatory())
    .addOption(new Option('--kind <kind>', 'which key').choices(['secret', 'publishable']).makeOptionMandatory())
    .option(
      '--keep-hours <hours>',
      'how long the key before stays good; 0: it ends now',
      parseHours,
      DEFAULT_KEEP_HOURS,
    )
    .action(({ keepHours, ...options }: RotateOptions) =>
      withService(async (service) => console.log(await rotateKey(service, { ...options, keepOldForHours: keepHours }))),
    );
}
