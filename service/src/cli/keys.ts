import { Command, Option } from 'commander';
import type { KeyChoice, ListedKey } from '../projects/keys.js';
import type { RotatedSigningKey } from '../projects/signing-keys.js';
import { parseHours, projectOption, withService } from './with-service.js';

const operations = () => import('../projects/keys.js');

const DEFAULT_KEEP_HOURS = 24;

interface RotateOptions extends KeyChoice {
  readonly keepHours: number;
}

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('Make, rotate and revoke the keys of a project.');
  keys.addCommand(listCommand());
  keys.addCommand(createCommand());
  keys.addCommand(rotateCommand());
  keys.addCommand(revokeCommand());
  keys.addCommand(rotateSigningCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description(
      'List all keys: id, how it begins and ends, when it was made, until when it is good; the good ones first.',
    )
    .addOption(projectOption())
    .action(({ project }: { project: string }) =>
      withService(async (service) => {
        const { listKeys } = await operations();
        for (const key of await listKeys(service, { project })) console.log(describe(key));
      }),
    );
}

function createCommand(): Command {
  return choiceCommand('create', 'Make a key beside the one that there is, and show it once.').action(
    (choice: KeyChoice) =>
      withService(async (service) => console.log(await (await operations()).createKey(service, choice))),
  );
}

function rotateCommand(): Command {
  return choiceCommand(
    'rotate',
    'Make a new key and show it once. The one before stays good for a while; an older one ends at once.',
  )
    .option(
      '--keep-hours <hours>',
      'how long the key before stays good; 0: it ends now',
      parseHours,
      DEFAULT_KEEP_HOURS,
    )
    .action(({ keepHours, ...choice }: RotateOptions) =>
      withService(async (service) => {
        const { rotateKey } = await operations();
        console.log(await rotateKey(service, { ...choice, keepOldForHours: keepHours }));
      }),
    );
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('End a key now. There may be none left after it.')
    .argument('<key>', 'its id, as "keys list" shows it')
    .addOption(projectOption())
    .action((key: string, { project }: { project: string }) =>
      withService(async (service) => {
        const { revokeKey } = await operations();
        console.log(describe(await revokeKey(service, { project, key })));
      }),
    );
}

function rotateSigningCommand(): Command {
  return new Command('rotate-signing')
    .description(
      'Create a new key that tokens are signed with (docs/operating.md). It is published at once and used a minute later; ' +
        'the key before it stays published until its last token has expired.',
    )
    .option('--project <name or id>', 'which project (default: all)')
    .option('--leaked', 'the key before it leaked: withdraw it at once, and refuse the tokens that it signed', false)
    .action(({ project, leaked }: { project?: string; leaked: boolean }) =>
      withService(async (service) => {
        const { rotateSigningKeys } = await import('../projects/signing-keys.js');
        const rotated = await rotateSigningKeys(service, { ...(project && { project }), isLeaked: leaked });
        for (const key of rotated) console.log(describeSigningKey(key));
      }),
    );
}

function describeSigningKey({ project, kid, signsFrom, previousUntil }: RotatedSigningKey): string {
  return `${kid}  signs from ${signsFrom.toISOString()}  previous key until ${previousUntil.toISOString()}  ${project}`;
}

function choiceCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(projectOption())
    .addOption(new Option('--mode <mode>', 'of which world').choices(['live', 'test']).makeOptionMandatory())
    .addOption(new Option('--kind <kind>', 'which key').choices(['secret', 'publishable']).makeOptionMandatory());
}

function describe({ id, shown, createdAt, expiresAt, isValid }: ListedKey): string {
  const end = expiresAt ? `${isValid ? 'until' : 'ended'} ${expiresAt.toISOString()}` : 'good';
  return `${id}  ${shown}  made ${createdAt.toISOString()}  ${end}`;
}
