import { setTimeout as pause } from 'node:timers/promises';
import type PgBoss from 'pg-boss';
import type { Logger } from 'pino';
import type { OpenDatabase } from '../../store/database.js';
import { createBoss } from './boss.js';
import { type JobHandlers, type JobName, jobKinds, jobNames } from './jobs.js';

const POLL_MS = 2_000;
/** Jobs that come by themselves can wait. */
const SCHEDULED_POLL_MS = 15_000;
const TICK_MS = 15_000;
const STOP_LIMIT_MS = 10_000;

export interface Queue {
  /** Takes no more jobs, and waits for those that run, 10 seconds at most. */
  stop(): Promise<void>;
}

/**
 * Does this process's share of the background work. Any number of processes can: each job is taken by one, and those
 * that come by themselves come once for all.
 *
 * The loops are ours since pg-boss's own do not wait for a job to be marked as done: with the database away just then,
 * that ends the process. Its clock works through such a loop as well.
 */
export async function startQueue(database: OpenDatabase, handlers: JobHandlers, log: Logger): Promise<Queue> {
  const boss = createBoss(database.executeSql, { supervise: true });
  boss.on('error', (error) => log.warn({ error }, 'The queue could not be tended'));
  await boss.start();
  const stopping = new AbortController();
  const { signal } = stopping;
  const onError = (error: unknown) => log.warn({ error }, 'Scheduled jobs could not be asked for');
  await sendScheduled(boss).catch(onError);
  const running = jobNames.map((name) => {
    const run = (): Promise<boolean> => runNext(boss, name, handlers, log);
    const pollMs = jobKinds[name].everySeconds ? SCHEDULED_POLL_MS : POLL_MS;
    return repeat(run, { pollMs, signal, onError: (error) => log.warn({ error, job: name }, 'No job could be taken') });
  });
  running.push(repeat(() => sendScheduled(boss), { pollMs: TICK_MS, signal, onError }));
  return {
    async stop() {
      stopping.abort();
      const limit = new AbortController();
      await Promise.race([Promise.all(running), pause(STOP_LIMIT_MS, undefined, limit).catch(() => undefined)]);
      limit.abort();
      await boss.stop();
    },
  };
}

interface Repetition {
  readonly pollMs: number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Goes on at once as long as there was something to do. */
async function repeat(act: () => Promise<boolean>, { pollMs, signal, onError }: Repetition): Promise<void> {
  while (!signal.aborted) {
    let busy = false;
    try {
      busy = await act();
    } catch (error) {
      onError(error);
    }
    if (!busy) await pause(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Of those who ask within one period, the first is heard. */
async function sendScheduled(boss: PgBoss): Promise<false> {
  for (const name of jobNames) {
    const { everySeconds } = jobKinds[name];
    if (everySeconds) await boss.send(name, {}, { singletonSeconds: everySeconds });
  }
  return false;
}

async function runNext(boss: PgBoss, name: JobName, handlers: JobHandlers, log: Logger): Promise<boolean> {
  const [job] = await boss.fetch<never>(name);
  if (!job) return false;
  const started = performance.now();
  try {
    await handlers[name](job.data);
  } catch (error) {
    log.error({ error, job: name, id: job.id }, 'A job failed');
    // Kept with the job; the error's own words could be personal.
    await boss.fail(name, job.id, { error: error instanceof Error ? error.name : typeof error });
    return true;
  }
  await boss.complete(name, job.id);
  log.debug({ job: name, id: job.id, ms: Math.round(performance.now() - started) }, 'A job is done');
  return true;
}
