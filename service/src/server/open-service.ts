import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createPartitionsOrLater } from '../effects/jobs/create-partitions.js';
import { type OpenedVault, openVault } from '../effects/secrets/open-vault.js';
import { createWebhookClient } from '../effects/webhooks/client.js';
import { readOrCreateSecret } from '../ground/crypto/secret-file.js';
import { DatabaseUnavailableError } from '../ground/db/availability.js';
import { type OpenDatabase, openDatabase } from '../ground/db/database.js';
import { explainFolder } from '../ground/db/folder-problem.js';
import { isUpToDate, migrate } from '../ground/db/migrate.js';
import { refuseUnfinishedMove } from '../ground/db/move.js';
import { requireWritable } from '../ground/db/writable.js';
import { codeOf } from '../ground/error-code.js';
import { createIds } from '../ground/ids.js';
import type { MessageSender } from '../ground/messages/sender.js';
import { OperatorError } from '../ground/operator-error.js';
import { type AddressBook, emptyAddressBook } from '../resources/addresses/address-book.js';
import { beginChain } from '../resources/audit/chain.js';
import type { Service } from '../resources/service.js';
import type { Config } from './config.js';
import { explainDatabase } from './explain-database.js';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

export interface OpenedService {
  readonly service: Service;
  readonly database: OpenDatabase;
}

export interface OpenOptions {
  readonly log: Logger;
  readonly sender: MessageSender;
  /** Default: one that knows nothing. */
  readonly addresses?: AddressBook;
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
  /** Whether to wait for an unreachable PostgreSQL, up to the configured time. Default: true. */
  readonly wait?: boolean;
}

/**
 * Opens the database, runs migrations, and creates the service. If the database is unreachable, logs that and waits.
 *
 * @throws OperatorError if the database cannot be reached or used, another process uses the folder, the database is
 *   newer than this version, half moved, or sealed with another master secret.
 */
export async function openService(config: Config, options: OpenOptions): Promise<OpenedService> {
  const { log, sender, addresses = emptyAddressBook, now = () => new Date(), wait = true } = options;
  const onIdleError = (error: Error) => log.warn({ error }, 'Database connection lost');
  const database = await openDatabase(
    config.database.kind === 'embedded' ? config.database : { ...config.database, onIdleError },
  );
  try {
    let isMigrated = false;
    await untilAvailable(
      async () => {
        // Commands that change nothing work on a standby too.
        if (wait) await requireWritable(database.db);
        isMigrated = (await prepareTables(database, log, now)) || isMigrated;
      },
      config,
      options,
    );
    const { db } = database;
    const secrets = { current: await secretOf(config), previous: config.previousSecret };
    const isPreviousLeaked = config.previousSecretLeaked;
    const { vault, previousIs } = await openVault({ db, now }, { ...secrets, isPreviousLeaked });
    logPreviousSecret(log, previousIs);
    const webhooks = createWebhookClient({ allowPrivate: config.allowPrivateWebhooks });
    const { publicUrl, signIn } = config;
    const newId = createIds(now);
    const service = { db, vault, sender, webhooks, addresses, log, memory: {}, signIn, publicUrl, now, newId };
    // Entries of an earlier version become part of the audit log's chain.
    if (isMigrated) await beginChain(service);
    return { service, database };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Returns whether migrations have run. */
async function prepareTables({ db, withSession }: OpenDatabase, log: Logger, now: () => Date): Promise<boolean> {
  await refuseUnfinishedMove(db);
  const done = (await isUpToDate(db)) ? [] : await withSession((session) => migrate(session));
  for (const migration of done) log.info({ migration }, 'Migrated the database');
  await createPartitionsOrLater({ db, log, now });
  return done.length > 0;
}

async function untilAvailable(
  act: () => Promise<void>,
  { database }: Config,
  { log, signal, wait = true }: OpenOptions,
): Promise<void> {
  const end = performance.now() + (wait && database.kind === 'postgresql' ? database.waitMs : 0);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await act();
    } catch (error) {
      const leftMs = end - performance.now();
      if (!(error instanceof DatabaseUnavailableError) || leftMs <= 0) throw explainDatabase(database, error);
      const retryInMs = Math.min(pauseMs, Math.ceil(leftMs));
      log.warn({ reason: codeOf(error), retryInMs }, 'Database unreachable, retrying');
      await pause(retryInMs, undefined, { signal });
    }
  }
}

async function secretOf({ secret, database }: Config): Promise<string> {
  if (secret !== undefined) return secret;
  if (database.kind === 'embedded') {
    return readOrCreateSecret(database.folder).catch((error: unknown) => {
      throw explainFolder(database.folder, error);
    });
  }
  throw new OperatorError('WHORL_SECRET must be set with DATABASE_URL.');
}

function logPreviousSecret(log: Logger, previousIs: OpenedVault['previousIs']): void {
  if (previousIs === 'removable') {
    log.warn('WHORL_SECRET_PREVIOUS can be removed: no values are sealed with it any more');
  } else if (previousIs === 'needed') {
    log.info('Values may still be sealed with WHORL_SECRET_PREVIOUS: run "whorl-service secrets reseal"');
  }
}
