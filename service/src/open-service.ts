import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { MessageSender } from './delivery/index.js';
import { prepareQueue } from './delivery/queue/index.js';
import { createWebhookClient } from './delivery/webhooks/index.js';
import { createIds } from './ids.js';
import { type OpenedVault, openVault } from './operations/secrets/open-vault.js';
import { OperatorError } from './operator-error.js';
import { readOrMakeSecret } from './secret-file.js';
import type { Service } from './service.js';
import { DatabaseUnavailableError } from './store/availability.js';
import { type OpenDatabase, openDatabase } from './store/database.js';
import { migrate } from './store/migrate.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

export interface OpenedService {
  readonly service: Service;
  readonly database: OpenDatabase;
}

interface Surroundings {
  readonly log: Logger;
  readonly sender: MessageSender;
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
  /** Whether to wait for a database that is away. Default: true. */
  readonly wait?: boolean;
}

/**
 * Opens the database, brings its tables up to date, and puts together what operations work with. Waits for a database
 * that is away, and says so in the log.
 *
 * @throws DatabaseUnavailableError if it is away, and is not to be waited for.
 * @throws OperatorError if another process has the folder, the database is newer than this version, or it was sealed with
 *   another master secret.
 */
export async function openService(config: Config, surroundings: Surroundings): Promise<OpenedService> {
  const { log, sender, now = () => new Date() } = surroundings;
  const onIdleError = (error: Error) => log.warn({ error }, 'A connection to the database broke');
  const database = await openDatabase(
    config.database.kind === 'embedded' ? config.database : { ...config.database, onIdleError },
  );
  try {
    await untilAvailable(() => prepareTables(database, log), surroundings);
    const { db } = database;
    const secrets = { current: await secretOf(config), previous: config.previousSecret };
    const isPreviousLeaked = config.previousSecretLeaked;
    const { vault, previousIs } = await openVault({ db, now }, { ...secrets, isPreviousLeaked });
    logPreviousSecret(log, previousIs);
    const webhooks = createWebhookClient({ allowPrivate: config.allowPrivateWebhooks });
    const service = { db, vault, sender, webhooks, log, publicUrl: config.publicUrl, now, newId: createIds(now) };
    return { service, database };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function prepareTables(database: OpenDatabase, log: Logger): Promise<void> {
  for (const migration of await migrate(database.db)) log.info({ migration }, 'Migrated the database');
  await prepareQueue(database);
}

async function untilAvailable(act: () => Promise<void>, { log, signal, wait = true }: Surroundings): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await act();
    } catch (error) {
      if (!wait || !(error instanceof DatabaseUnavailableError)) throw error;
      log.warn({ error, retryInMs: pauseMs }, 'The database is away; trying again');
      await pause(pauseMs, undefined, { signal });
    }
  }
}

async function secretOf({ secret, database }: Config): Promise<string> {
  if (secret !== undefined) return secret;
  if (database.kind === 'embedded') return readOrMakeSecret(database.folder);
  throw new OperatorError('WHORL_SECRET must be set with DATABASE_URL.');
}

function logPreviousSecret(log: Logger, previousIs: OpenedVault['previousIs']): void {
  if (previousIs === 'removable') {
    log.warn('WHORL_SECRET_PREVIOUS can be removed now: nothing is sealed with it any more');
  } else if (previousIs === 'needed') {
    log.info('Values may be sealed with WHORL_SECRET_PREVIOUS: run "whorl-service secrets reseal"');
  }
}
