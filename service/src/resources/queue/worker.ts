import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { minuteSeconds } from '../../ground/time.js';
import type { Database } from '../service.js';
import { type JobHandlers, type JobName, jobKinds, jobNames } from './jobs.js';
import { endJob, retryJob, scheduleJob, takeJob } from './queries.js';

/** A job that takes longer is considered lost, and another worker runs it again. */
const LEASE_SECONDS = 15 * minuteSeconds;
const FIRST_RETRY_SECONDS = 30;
const POLL_MS = 2_000;
/** Scheduled jobs are not urgent. */
const SCHEDULED_POLL_MS = 15_000;
const STOP_LIMIT_MS = 10_000;

export interface Queue {
  /** Stops taking jobs and waits for running ones, at most 10 seconds. */
  stop(): Promise<void>;
}

/**
 * Runs background jobs in this process. Any number of processes can do this: each job is taken by one of them, and
 * scheduled jobs run once for all. As with webhook deliveries, each row holds the time when it is due; while a
 * worker has it, that time is the end of its lease.
 */
export async function startQueue(db: Database, handlers: JobHandlers, log: Logger): Promise<Queue> {
  for (const name of jobNames) {
    const { everySeconds } = jobKinds[name];
    if (everySeconds !== undefined) await scheduleJob(db, { id: randomUUID(), name, everySeconds });
  }
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each job waits with it, and Node warns of more than ten.
  setMaxListeners(jobNames.length, signal);
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

/** Runs jobs until there are none, then polls. */
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
      log.warn({ error, job: name }, 'Reading the job queue failed');
    }
    if (!wasBusy) await pause(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Runs the next job that is due. Returns false if there is none. */
async function runNext(db: Database, name: JobName, handlers: JobHandlers, log: Logger): Promise<boolean> {
  const lease = randomUUID();
  const [job] = await takeJob(db, { name, lease, leaseSeconds: LEASE_SECONDS });
  if (!job) return false;
  const { id, attempts } = job;
  const started = performance.now();
  try {
    // `enqueue` wrote this row's data for this kind of job.
    await handlers[name](job.data as never);
  } catch (error) {
    const isLast = attempts >= jobKinds[name].retries;
    log.error(
      { error, job: name, id, attempts: attempts + 1 },
      isLast ? 'Job failed, not retrying' : 'Job failed, retrying',
    );
    if (isLast) await endJob(db, id, lease);
    else await retryJob(db, { id, lease, delaySeconds: FIRST_RETRY_SECONDS * 2 ** attempts });
    return true;
  }
  await endJob(db, id, lease);
  log.debug({ job: name, id, ms: Math.round(performance.now() - started) }, 'Job done');
  return true;
}
