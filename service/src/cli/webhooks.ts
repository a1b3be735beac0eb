import { Command } from 'commander';
import type { ListedEndpoint, WebhookWorld } from '../effects/webhooks/endpoints.js';
import type { Replay } from '../effects/webhooks/replay.js';
import { OperatorError } from '../ground/operator-error.js';
import type { Attempted } from '../resources/events/rules/attempted.js';
import {
  describeEndpointSecret,
  modeOption,
  parseHours,
  parseTime,
  projectOption,
  withService,
} from './with-service.js';

const endpointOperations = () => import('../effects/webhooks/endpoints.js');
const replayOperations = () => import('../effects/webhooks/replay.js');

const DEFAULT_KEEP_HOURS = 24;
const SHOWN_ATTEMPTS = 20;

interface ReplayOptions extends WebhookWorld {
  readonly event?: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly delivered: boolean;
}

export function addWebhookCommands(program: Command): void {
  const webhooks = program.command('webhooks').description('Manage webhook endpoints (docs/webhooks.md).');
  webhooks.addCommand(addCommand());
  webhooks.addCommand(listCommand());
  webhooks.addCommand(rotateCommand());
  webhooks.addCommand(replayCommand());
  webhooks.addCommand(
    endpointCommand('remove', 'Remove an endpoint and its waiting events.').action(
      (endpoint: string, world: WebhookWorld) =>
        withService(async (service) => (await endpointOperations()).removeEndpoint(service, { ...world, endpoint })),
    ),
  );
  webhooks.addCommand(
    endpointCommand('enable', 'Switch an endpoint on again, or mark a failing one as healthy.').action(
      (endpoint: string, world: WebhookWorld) =>
        withService(async (service) => (await endpointOperations()).enableEndpoint(service, { ...world, endpoint })),
    ),
  );
  webhooks.addCommand(
    endpointCommand('test', 'Send an event of type webhook.test once, and show the response.').action(
      (endpoint: string, world: WebhookWorld) =>
        withService(async (service) => {
          const { tryEndpoint } = await import('../effects/webhooks/try-endpoint.js');
          const attempted = await tryEndpoint(service, { ...world, endpoint });
          if (attempted.failure !== undefined) throw new OperatorError(`Delivery failed: ${describe(attempted)}.`);
          console.log(describe(attempted));
        }),
    ),
  );
  webhooks.addCommand(
    endpointCommand('attempts', `Show the last ${SHOWN_ATTEMPTS} delivery attempts, the newest first.`).action(
      (endpoint: string, world: WebhookWorld) =>
        withService(async (service) => {
          const { listAttempts } = await replayOperations();
          for (const row of await listAttempts(service, { ...world, endpoint }, SHOWN_ATTEMPTS)) {
            const { status, failure, duration_ms: durationMs } = row;
            const attempted = { durationMs, ...(status !== null && { status }), ...(failure !== null && { failure }) };
            console.log(`${row.at.toISOString()}  ${row.event_id}  ${row.type}  ${describe(attempted)}`);
          }
        }),
    ),
  );
}

function worldCommand(name: string, description: string): Command {
  return new Command(name).description(description).addOption(projectOption()).addOption(modeOption().default('live'));
}

const endpointCommand = (name: string, description: string) =>
  worldCommand(name, description).argument('<endpoint>', 'ID of the endpoint, shown by "webhooks list"');

function addCommand(): Command {
  return worldCommand(
    'add',
    'Add an endpoint, which receives all events from now on, and show its signing secret once.',
  )
    .requiredOption('--url <url>', 'URL of the endpoint, such as https://shop.example/webhooks')
    .action((options: WebhookWorld & { url: string }) =>
      withService(async (service) => {
        const { addEndpoint } = await endpointOperations();
        console.log(describeEndpointSecret(await addEndpoint(service, options)));
      }),
    );
}

function listCommand(): Command {
  return worldCommand(
    'list',
    'List all endpoints: ID, status, number of waiting events, number of failed events, URL.',
  ).action((world: WebhookWorld) =>
    withService(async (service) => {
      const { listEndpoints } = await endpointOperations();
      for (const endpoint of await listEndpoints(service, world)) console.log(describeEndpoint(endpoint));
    }),
  );
}

function rotateCommand(): Command {
  return endpointCommand(
    'rotate',
    'Create a new signing secret, and show it once. For a while, events are also signed with the previous one.',
  )
    .option(
      '--keep-hours <hours>',
      'time for which events are also signed with the previous secret; 0: not at all',
      parseHours,
      DEFAULT_KEEP_HOURS,
    )
    .action((endpoint: string, { keepHours, ...world }: WebhookWorld & { keepHours: number }) =>
      withService(async (service) => {
        const { rotateSecret } = await endpointOperations();
        const { secret } = await rotateSecret(service, { ...world, endpoint, keepOldForHours: keepHours });
        console.log(secret);
      }),
    );
}

function replayCommand(): Command {
  return endpointCommand('replay', 'Deliver one event again, or all undelivered events of a period.')
    .option('--event <id>', 'one event, regardless of its outcome')
    .option('--from <time>', 'events since this time', parseTime)
    .option('--to <time>', 'events before this time (default: now)', parseTime)
    .option('--delivered', 'with --from: include delivered events', false)
    .action((endpoint: string, { project, mode, ...options }: ReplayOptions) => {
      const which = readReplay(options);
      return withService(async (service) => {
        const { replay } = await replayOperations();
        console.log(`${await replay(service, { project, mode, endpoint }, which)} events scheduled for delivery`);
      });
    });
}

function readReplay({ event, from, to, delivered }: Omit<ReplayOptions, keyof WebhookWorld>): Replay {
  if (event !== undefined && !from && !to) return { event };
  if (event === undefined && from) return { from, to, delivered };
  throw new OperatorError('Specify either --event, or --from and optionally --to.');
}

function describeEndpoint({ id, status, waiting, failed, url, previousUntil }: ListedEndpoint): string {
  const rotation = previousUntil ? `  (two secrets until ${previousUntil.toISOString()})` : '';
  return `${id}  ${status}  waiting ${waiting}  failed ${failed}  ${url}${rotation}`;
}

function describe({ status, failure, durationMs }: Attempted & { readonly durationMs: number }): string {
  return [status, failure, `${durationMs} ms`].filter((part) => part !== undefined).join('  ');
}
