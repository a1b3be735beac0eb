import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../start-error.js';
import { command } from './command.js';
import { PROJECT } from './project.js';
import { save } from './save.js';
import { saveEndpoint, type WebhookTarget, webhookOptions } from './webhooks.js';

/** The project that the demo made for itself, with its keys. */
export interface Project {
  readonly id: string;
  readonly keys: Readonly<Record<'live' | 'test', { readonly secret: string; readonly publishable: string }>>;
  /** From where its publishable keys may be used, as set last. */
  readonly allowedOrigins: readonly string[];
  /** Whether the service's challenge page was switched on; visitors choose between it and the demo's own. */
  readonly hasChallengePage: boolean;
}

/** How the project is to be. */
interface Wanted {
  readonly origins: readonly string[];
  /** That it is made with, so that one command does it all; {@link prepareWebhooks} looks after it later. */
  readonly webhook: WebhookTarget;
}

/**
 * The project, with its keys, these allowed origins, and the service's challenge page switched on. The first start makes
 * it on the service's command line, as an operator would, and keeps its keys in a file that the owner alone can read: the
 * service cannot show them again.
 *
 * @throws StartError with what the command line said.
 */
export async function prepareProject(
  folder: string,
  environment: Readonly<Record<string, string>>,
  { origins, webhook }: Wanted,
): Promise<Project> {
  const file = keysFile(folder);
  const settings = ['allowed_origins', JSON.stringify(origins), 'managed_challenge_page', 'true'];
  const asWanted = { allowedOrigins: origins, hasChallengePage: true };
  if (!existsSync(file)) {
    const answer = await createProject(folder, environment, [...settings, ...webhookOptions(webhook)]);
    const project = { ...readProject(answer), ...asWanted };
    await save(file, project);
    await saveEndpoint(folder, webhook, answer);
    return project;
  }
  const project = parseProject(await readFile(file, 'utf8'), file);
  if (origins.join() === project.allowedOrigins.join() && project.hasChallengePage) return project;
  await command(['settings', 'set', '--project', PROJECT, ...settings], environment);
  const changed = { ...project, ...asWanted };
  await save(file, changed);
  return changed;
}

async function createProject(
  folder: string,
  environment: Readonly<Record<string, string>>,
  more: readonly string[],
): Promise<string> {
  return command(['project', 'create', '--name', PROJECT, ...more], environment).catch((error: unknown) => {
    const lost = error instanceof StartError && error.message.includes('already');
    throw lost
      ? new StartError(`The keys of the database in ${folder} are lost. Remove that folder to begin anew.`)
      : error;
  });
}

function readProject(answer: string): Pick<Project, 'id' | 'keys'> {
  const find = (pattern: RegExp) => {
    const [found] = pattern.exec(answer) ?? [];
    if (found === undefined) throw new StartError('The keys were not found in what the service said.');
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

function parseProject(text: string, file: string): Project {
  try {
    const { id, keys, allowedOrigins, hasChallengePage } = JSON.parse(text);
    const secrets = [keys.live.secret, keys.live.publishable, keys.test.secret, keys.test.publishable];
    if ([id, ...secrets, ...allowedOrigins].every((value) => typeof value === 'string')) {
      return { id, keys, allowedOrigins, hasChallengePage: hasChallengePage === true };
    }
  } catch {
    // Told below.
  }
  throw new StartError(`${file} is not what the demo wrote. Remove its folder to begin anew.`);
}

/** Returns the file with the project's id and its keys, under `live` and `test`. */
export function keysFile(dataFolder: string): string {
  return join(dataFolder, 'keys.json');
}
