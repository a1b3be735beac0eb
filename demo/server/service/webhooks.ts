import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../start-error.js';
import { command } from './command.js';
import { PROJECT } from './keys.js';
import { save } from './save.js';

/** The endpoint that the demo made for itself. */
interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly mode: 'live' | 'test';
  readonly secret: string;
}

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
  { url, mode }: Pick<WebhookEndpoint, 'url' | 'mode'>,
): Promise<string> {
  const file = join(folder, 'webhooks.json');
  const known = existsSync(file) ? parseEndpoint(await readFile(file, 'utf8'), file) : undefined;
  if (known?.url === url && known.mode === mode) return known.secret;
  if (known) await webhooks(['remove', known.id], known.mode, environment);
  const answer = await webhooks(['add', '--url', url], mode, environment);
  const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(answer) ?? [];
  const [secret] = /whsec_\S+/.exec(answer) ?? [];
  if (!id || !secret) throw new StartError('The secret was not found in what the service said.');
  await save(file, { id, url, mode, secret } satisfies WebhookEndpoint);
  return secret;
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
