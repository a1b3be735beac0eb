import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../service.js';
import { type JobHandlers, type JobName, jobKinds, jobNames } from './jobs.js';
import { endJob, retryJob, scheduleJob, takeJob } from './queries.js';

/** A job that runs longer counts as lost, and another worker runs it again. */
const LEASE_SECONDS = 15 * 60;
const FIRST_RETRY_SECONDS = 30;
const POLL_MS = 2_000;
/** Scheduled jobs can wait. */
const SCHEDULED_POLL_MS = 15_000;
const STOP_LIMIT_MS = 10_000;

export interface Queue {
  /** Takes no more jobs, and waits for those that run, 10 seconds at most. */
  stop(): Promise<void>;
}

/**
 * Runs this process's share of the background jobs. Any number of processes can: each job is taken by one of them, and
 * scheduled jobs run once for all. The design is that of webhook deliveries: a row with the time at which it is due,
 * which moves to the end of a lease while somebody works on it.
 */
export async function startQueue(db: Database, handlers: JobHandlers, log: Logger): Promise<Queue> {
  for (const name of jobNames) {
    const { everySeconds } = jobKinds[name];
    if (everySeconds !== undefined) await scheduleJob(db, { id: randomUUID(), name, everySeconds });
  }
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = jobNames.map((name) => repeat(name, () => runNext(db, name, handlers, log), { signal, log }));
  return {
    async stop() {
      stopping.abort();
      const limit = new AbortController();
      await Promise.race([Promise.all(running), pause(STOP_LIMIT_MS, undefined, limit).catch(() => undefined)]);
      limit.abort();
    },
  };
}

/** Continues at once while there are jobs. */
async function repeat(
  name: JobName,
  run: () => Promise<boolean>,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<void> {
  const pollMs = jobKinds[name].everySeconds === undefined ? POLL_MS : SCHEDULED_POLL_MS;
  while (!signal.aborted) {
    let wasBusy = false;
    try {
      wasBusy = await run();
    } catch (error) {
      log.warn({ error, job: name }, 'The job queue cannot be read');
    }
    if (!wasBusy) await pause(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns whether there was a job. */
async function runNext(db: Database, name: JobName, handlers: JobHandlers, log: Logger): Promise<boolean> {
  const claim = randomUUID();
  const [job] = await takeJob(db, { name, claim, leaseSeconds: LEASE_SECONDS });
  if (!job) return false;
  const { id, attempts } = job;
  const started = performance.now();
  try {
    // What stands in the row was written for this kind of job: see enqueue.
    await handlers[name](job.data as never);
  } catch (error) {
    const isLast = attempts >= jobKinds[name].retries;
    log.error({ error, job: name, id, attempts: attempts + 1 }, isLast ? 'A job failed for good' : 'A job failed');
    if (isLast) await endJob(db, id, claim);
    else await retryJob(db, { id, claim, delaySeconds: FIRST_RETRY_SECONDS * 2 ** attempts });
    return true;
  }
  await endJob(db, id, claim);
  log.debug({ job: name, id, ms: Math.round(performance.now() - started) }, 'A job is done');
  return true;
}
