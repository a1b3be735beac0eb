import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../start-error.js';
import { command } from './command.js';
import { PROJECT } from './project.js';
import { save } from './save.js';

/** The endpoint that the demo made for itself. */
interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly mode: 'live' | 'test';
  readonly secret: string;
}

/** Where events go to, and those of which world. */
export type WebhookTarget = Pick<WebhookEndpoint, 'url' | 'mode'>;

type Environment = Readonly<Record<string, string>>;

/**
 * Has the service send its events to an address, and answers the secret they are signed with. Made on the service's
 * command line, as an operator would, and kept in a file that the owner alone can read.
 *
 * @throws StartError with what the command line said.
 */
export async function prepareWebhooks(
  folder: string,
  environment: Environment,
  target: WebhookTarget,
): Promise<string> {
  const { url, mode } = target;
  const file = fileIn(folder);
  const known = existsSync(file) ? parseEndpoint(await readFile(file, 'utf8'), file) : undefined;
  if (known?.url === url && known.mode === mode) return known.secret;
  if (known) await webhooks(['remove', known.id], known.mode, environment);
  return saveEndpoint(folder, target, await webhooks(['add', '--url', url], mode, environment));
}

/** Of the command that makes a project. */
export function webhookOptions({ url, mode }: WebhookTarget): string[] {
  return ['--webhook', url, '--webhook-mode', mode];
}

/** Keeps the endpoint that was made, and answers its secret. @param answer What the command line said of it. */
export async function saveEndpoint(folder: string, target: WebhookTarget, answer: string): Promise<string> {
  const [, id] = /endpoint ([0-9a-f]{8}-[0-9a-f-]{27})/.exec(answer) ?? [];
  const [secret] = /whsec_\S+/.exec(answer) ?? [];
  if (!id || !secret) throw new StartError('The secret was not found in what the service said.');
  await save(fileIn(folder), { id, ...target, secret } satisfies WebhookEndpoint);
  return secret;
}

function fileIn(folder: string): string {
  return join(folder, 'webhooks.json');
}

function webhooks(args: readonly string[], mode: string, environment: Environment): Promise<string> {
  return command(['webhooks', ...args, '--project', PROJECT, '--mode', mode], environment);
}

function parseEndpoint(text: string, file: string): WebhookEndpoint {
  try {
    const { id, url, mode, secret } = JSON.parse(text);
    const isMode = mode === 'live' || mode === 'test';
    if (isMode && [id, url, secret].every((value) => typeof value === 'string')) return { id, url, mode, secret };
  } catch {
    // Told below.
  }
  throw new StartError(`${file} is not what the demo wrote. Remove its folder to begin anew.`);
}
