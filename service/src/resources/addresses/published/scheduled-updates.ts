import type { Logger } from 'pino';
import { FolderInUseError } from '../../../ground/db/folder-lock.js';
import { hourMs, minuteMs } from '../../../ground/time.js';
import type { PublishedSources } from './sources.js';
import { hasDue, type UpdateResult, updateSources } from './update.js';

export interface ScheduleOptions {
  readonly log: Logger;
  readonly now: () => Date;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onResult: (result: UpdateResult) => void;
  /** Interval of checks whether an update is due. Default: a minute. */
  readonly checkEveryMs?: number | undefined;
}

/**
 * Updates each source once a day, until the returned function is called. Files belong to a machine, so each process does
 * this and not the shared queue; the lock and the state in the folder let one of them do it.
 */
export function startUpdates(published: PublishedSources, options: ScheduleOptions): () => Promise<void> {
  const { log, now, environment, onResult, checkEveryMs = minuteMs } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let notBefore = 0;
  const report = (result: UpdateResult) => {
    if (signal.aborted) return;
    logResult(log, result);
    onResult(result);
  };
  const update = async () => {
    if (performance.now() < notBefore || !(await hasDue(published, now()))) return;
    await updateSources(published, { onlyDue: true, report, now, environment, signal });
  };
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = update()
      .catch((error: unknown) => {
        if (error instanceof FolderInUseError) return;
        // The folder is not writable, which waiting does not change.
        notBefore = performance.now() + hourMs;
        log.error({ error }, 'Addresses could not be updated');
      })
      .then(() => {
        if (!signal.aborted) timer = setTimeout(run, checkEveryMs).unref();
      });
  };
  run();
  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
  };
}

function logResult(log: Logger, { source: { name: source }, outcome, reason }: UpdateResult): void {
  if (outcome === 'failed') {
    log.error(
      { source, reason },
      'A source of addresses could not be updated; its previous file, if any, stays in use',
    );
  } else {
    log.info({ source, outcome }, 'Checked a source of addresses for updates');
  }
}
