import { join } from 'node:path';
import { readSaved, save } from '../saved-file.js';
import { StartError } from '../start-error.js';
import { command, type Environment } from './run.js';

/** The name of the project that the demo creates for itself. Emails and text messages show it. */
const PROJECT = 'Whorl demo';

/** The demo's project, with its keys. */
export interface Project {
  readonly id: string;
  readonly keys: Readonly<Record<'live' | 'test', { readonly secret: string; readonly publishable: string }>>;
  /** The origins from which its publishable keys may be used. */
  readonly allowedOrigins: readonly string[];
  /** Whether the service's challenge page is enabled. Visitors choose between it and the demo's own. */
  readonly hasChallengePage: boolean;
}

/** The endpoint where the demo receives webhooks. */
interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  /** Which keys' events it receives. */
  readonly mode: 'live' | 'test';
  readonly secret: string;
}

export type WebhookTarget = Pick<WebhookEndpoint, 'url' | 'mode'>;

/**
 * Returns the project, with these allowed origins and with the service's challenge page. The first start creates it with
 * the service's command line, as an operator would, and saves its keys, which the service does not show again.
 *
 * @param options.webhook One command creates the project with its endpoint. {@link prepareWebhooks} updates it later.
 * @throws StartError with the output of the command line.
 */
export async function prepareProject(
  folder: string,
  environment: Environment,
  { origins, webhook }: { readonly origins: readonly string[]; readonly webhook: WebhookTarget },
): Promise<Project> {
  const file = keysFile(folder);
  const settings = ['allowed_origins', JSON.stringify(origins), 'managed_challenge_page', 'true'];
  const wanted = { allowedOrigins: origins, hasChallengePage: true };
  const known = await readSaved(file, parseProject);
  if (!known) {
    const output = await createProject(folder, environment, [
      ...settings,
      ...['--webhook', webhook.url, '--webhook-mode', webhook.mode],
    ]);
    const project = { ...findProject(output), ...wanted };
    await save(file, project);
    await saveEndpoint(folder, webhook, output);
    return project;
  }
  if (origins.join() === known.allowedOrigins.join() && known.hasChallengePage) return known;
  await command(['settings', 'set', '--project', known.id, ...settings], environment);
  const changed = { ...known, ...wanted };
  await save(file, changed);
  return changed;
}

/**
 * Registers an address for the service's events, and returns the secret that signs them. The endpoint is created with
 * the service's command line, as an operator would, and its secret is saved.
 *
 * @throws StartError with the output of the command line.
 */
export async function prepareWebhooks(
  folder: string,
  environment: Environment,
  { project, target }: { readonly project: Project; readonly target: WebhookTarget },
): Promise<string> {
  const { url, mode } = target;
  const known = await readSaved(webhooksFile(folder), parseEndpoint);
  if (known?.url === url && known.mode === mode) return known.secret;
  const webhooks = (args: readonly string[], of: string) =>
    command(['webhooks', ...args, '--project', project.id, '--mode', of], environment);
  if (known) await webhooks(['remove', known.id], known.mode);
  return saveEndpoint(folder, target, await webhooks(['add', '--url', url], mode));
}

/** Returns the file with the project's id and its keys, under `live` and `test`. */
export function keysFile(dataFolder: string): string {
  return join(dataFolder, 'keys.json');
}

function webhooksFile(dataFolder: string): string {
  return join(dataFolder, 'webhooks.json');
}

async function createProject(folder: string, environment: Environment, more: readonly string[]): Promise<string> {
  return command(['project', 'create', '--name', PROJECT, ...more], environment).catch((error: unknown) => {
    const isExisting = error instanceof StartError && error.message.includes('already');
    throw isExisting
      ? new StartError(`The keys of the database in ${folder} are lost. Remove that folder to start again.`)
      : error;
  });
}

function findProject(output: string): Pick<Project, 'id' | 'keys'> {
  const find = (pattern: RegExp) => {
    const [found] = pattern.exec(output) ?? [];
    if (found === undefined) throw new StartError("The service's output did not contain the keys.");
    return found;
  };
  return {
    id: find(/[0-9a-f]{8}-[0-9a-f-]{27}/),
    keys: {
      live: { secret: find(/sk_live_\S+/), publishable: find(/pk_live_\S+/) },
      test: { secret: find(/sk_test_\S+/), publishable: find(/pk_test_\S+/) },
    },
  };
}

/** Saves the endpoint that a command created, and returns its secret. */
async function saveEndpoint(folder: string, target: WebhookTarget, output: string): Promise<string> {
  const [, id] = /endpoint ([0-9a-f]{8}-[0-9a-f-]{27})/.exec(output) ?? [];
  const [secret] = /whsec_\S+/.exec(output) ?? [];
  if (!id || !secret) throw new StartError("The service's output did not contain the secret.");
  await save(webhooksFile(folder), { id, ...target, secret } satisfies WebhookEndpoint);
  return secret;
}

function parseProject(text: string): Project | undefined {
  const { id, keys, allowedOrigins, hasChallengePage } = JSON.parse(text);
  const texts = [
    id,
    keys.live.secret,
    keys.live.publishable,
    keys.test.secret,
    keys.test.publishable,
    ...allowedOrigins,
  ];
  if (!texts.every((value) => typeof value === 'string')) return undefined;
  return { id, keys, allowedOrigins, hasChallengePage: hasChallengePage === true };
}

function parseEndpoint(text: string): WebhookEndpoint | undefined {
  const { id, url, mode, secret } = JSON.parse(text);
  const isMode = mode === 'live' || mode === 'test';
  return isMode && [id, url, secret].every((value) => typeof value === 'string')
    ? { id, url, mode, secret }
    : undefined;
}
