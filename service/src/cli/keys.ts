import { Command, Option } from 'commander';
import { keyScopes } from '../ground/vocabulary.js';
import type { KeyChoice, ListedKey } from '../resources/projects/keys.js';
import { scopeTexts } from '../resources/projects/rules/key-scopes.js';
import type { RotatedSigningKey } from '../resources/projects/signing-keys.js';
import { modeOption, parseHours, projectOption, withService } from './with-service.js';

const operations = () => import('../resources/projects/keys.js');

const DEFAULT_KEEP_HOURS = 24;

interface RotateOptions extends KeyChoice {
  readonly keepHours: number;
}

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('Create, rotate and revoke API keys.');
  keys.addCommand(listCommand());
  keys.addCommand(createCommand());
  keys.addCommand(rotateCommand());
  keys.addCommand(revokeCommand());
  keys.addCommand(rotateSigningCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('List all keys, valid ones first: ID, beginning and end of the key, scopes, time of creation, expiry.')
    .addOption(projectOption())
    .action(({ project }: { project: string }) =>
      withService(async (service) => {
        const { listKeys } = await operations();
        for (const key of await listKeys(service, { project })) console.log(describe(key));
      }),
    );
}

function createCommand(): Command {
  return choiceCommand('create', 'Create an additional key, and show it once.').action((choice: KeyChoice) =>
    withService(async (service) => console.log(await (await operations()).createKey(service, choice))),
  );
}

function rotateCommand(): Command {
  return choiceCommand(
    'rotate',
    'Create a new key, and show it once. The previous key with the same scopes stays valid for a while; older ones expire at once.',
  )
    .option(
      '--keep-hours <hours>',
      'time for which the previous key stays valid; 0: it expires at once',
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
    .description('Revoke a key at once, even if it is the last one.')
    .argument('<key>', 'ID of the key, shown by "keys list"')
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
      'Create a new key for signing tokens (docs/operating.md). It is published at once and used a minute later. ' +
        'The previous key stays published until its last token has expired.',
    )
    .option('--project <name or id>', 'project (default: all)')
    .option('--leaked', 'withdraw the previous key at once, and refuse tokens that it signed', false)
    .action(({ project, leaked }: { project?: string; leaked: boolean }) =>
      withService(async (service) => {
        const { rotateSigningKeys } = await import('../resources/projects/signing-keys.js');
        const rotated = await rotateSigningKeys(service, { ...(project && { project }), isLeaked: leaked });
        for (const key of rotated) console.log(describeSigningKey(key));
      }),
    );
}

function describeSigningKey({ project, kid, signsFrom, previousUntil }: RotatedSigningKey): string {
  return `${kid}  signs from ${signsFrom.toISOString()}  previous key until ${previousUntil.toISOString()}  ${project}`;
}

const scopesHelp = keyScopes.map((scope) => `${scope}: ${scopeTexts[scope]}`).join('; ');

function choiceCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(projectOption())
    .addOption(modeOption().makeOptionMandatory())
    .addOption(new Option('--kind <kind>', 'kind of key').choices(['secret', 'publishable']).makeOptionMandatory())
    .addOption(
      new Option('--scopes <scopes...>', `what a secret key may call (default: evaluate). ${scopesHelp}`).choices(
        keyScopes,
      ),
    );
}

function describe({ id, shown, scopes, createdAt, expiresAt, isValid }: ListedKey): string {
  const state = expiresAt ? `${isValid ? 'valid until' : 'expired'} ${expiresAt.toISOString()}` : 'valid';
  return `${id}  ${shown}  ${scopes.join(',') || '-'}  created ${createdAt.toISOString()}  ${state}`;
}
