import { randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { codeOf } from '../ground/error-code.js';
import { OperatorError } from '../ground/operator-error.js';
import type { Handover } from '../server/server.js';
import { describeAdminLink, describeCreated } from './with-service.js';

export function addStartCommand(program: Command): void {
  program
    .command('start')
    .description(
      'Run the service until SIGTERM or SIGINT. Requests in progress are completed first; a second signal exits at once.',
    )
    .action(start);
}

async function start(): Promise<void> {
  // Loaded here, because help and the other commands do not need the HTTP server.
  const [{ readConfig }, { createLog }] = await Promise.all([
    import('../server/config.js'),
    import('../server/log.js'),
  ]);
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const stopping = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (stopping.signal.aborted) process.exit(1);
      log.info({ signal: name }, 'Stopping');
      stopping.abort();
    });
  }
  const { signal } = stopping;
  try {
    const { startServer } = await import('../server/server.js');
    const handover = createHandover({ isTerminal: process.stdout.isTTY, folder: config.dataFolder, log });
    const server = await startServer(config, { log, signal, handover });
    await aborted(signal);
    await server.close();
    log.info('Stopped');
  } catch (error) {
    // Stopped while waiting for the database.
    if (!signal.aborted) throw error;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}

const keysFile = 'first-keys.txt';

const linkFile = 'set-up-link.txt';

/** More than the keys need: an empty file can be created on a full disk. */
const draftBytes = 4096;

/**
 * Prints secrets if standard output is a terminal. Otherwise it may be a log that is stored and forwarded: secrets are
 * written to files that only the owner can read, and the log names the files.
 */
function createHandover(options: {
  readonly isTerminal: boolean;
  readonly folder: string;
  readonly log: Logger;
}): Handover {
  const { isTerminal, folder, log } = options;
  return isTerminal ? printing : writing(resolve(folder), log);
}

const printing: Handover = {
  prepare: async () => undefined,
  firstProject: async (created) => console.log(describeCreated(created)),
  adminLink: async (url) => console.log(describeAdminLink(url)),
};

function writing(folder: string, log: Logger): Handover {
  return {
    async prepare() {
      try {
        await rm(await writeDraft(folder, ' '.repeat(draftBytes)));
      } catch (error) {
        throw new OperatorError(
          `The keys of the first project cannot be written to ${folder} (${codeOf(error)}). Make the folder writable, with free space, or set DATA_FOLDER to another one.`,
          { cause: error },
        );
      }
    },
    async firstProject(created) {
      const text = `${describeCreated(created)}\n\nStore the keys in a safe place, and delete this file.\n`;
      const path = await placeNew(await writeDraft(folder, text), folder);
      log.warn(
        { path },
        'The keys of the first project were written to a file. Store them in a safe place, and delete the file',
      );
    },
    async adminLink(url) {
      const path = join(folder, linkFile);
      try {
        await rename(await writeDraft(folder, `${describeAdminLink(url)}\n`), path);
        log.info({ path }, 'The dashboard has no administrator yet. A link to become one was written to a file');
      } catch (error) {
        const reason = codeOf(error);
        log.warn(
          { path, reason },
          'The dashboard has no administrator yet, and a link to become one could not be written to a file. Make the folder writable, or run "whorl-service member invite --role owner"',
        );
      }
    },
  };
}

/** Writes a file that only its owner can read. */
async function writeDraft(folder: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `draft-${randomUUID()}`);
  await writeFile(path, text, { mode: 0o600, flag: 'wx' }).catch(async (error: unknown) => {
    await rm(path, { force: true });
    throw error;
  });
  return path;
}

/** Never replaces an existing file, which may contain the keys of another database. */
async function placeNew(draft: string, folder: string): Promise<string> {
  for (const name of [keysFile, `first-keys-${randomUUID()}.txt`]) {
    const path = join(folder, name);
    const isPlaced = await link(draft, path).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      },
    );
    if (!isPlaced) continue;
    await rm(draft);
    return path;
  }
  return draft;
}
