import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../db/availability.js';
import type { Service } from '../service.js';

const everyMs = 500;
/** Whoever repeats a request after that long is not held up by it any more. */
const givenUpAfterMs = 10 * 60_000;
/** Answers wait in memory. */
const mostWaiting = 1000;

interface Write {
  readonly run: () => Promise<void>;
  /** On the clock of `performance.now()`. */
  readonly until: number;
}

const queues = new WeakMap<Service['db'], Write[]>();

/**
 * Does a write, or, where the database is away, does it once that is back: within half a second, in the order in which
 * they came, for as long as the process runs, and 10 minutes at most.
 */
export async function writeOrLater({ db, log }: Pick<Service, 'db' | 'log'>, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const waiting = queues.get(db) ?? [];
    if (!(error instanceof DatabaseUnavailableError) || waiting.length >= mostWaiting) throw error;
    queues.set(db, waiting);
    waiting.push({ run, until: performance.now() + givenUpAfterMs });
    if (waiting.length === 1) void drain(waiting, log);
  }
}

async function drain(waiting: Write[], log: Service['log']): Promise<void> {
  while (waiting.length > 0) {
    await pause(everyMs, undefined, { ref: false });
    for (let next = waiting[0]; next; next = waiting[0]) {
      const failure = await next.run().catch((error: unknown) => error);
      const isAway = failure instanceof DatabaseUnavailableError && performance.now() < next.until;
      if (isAway) break;
      if (failure !== undefined) log.error({ err: failure }, 'a write that was put off could not be done');
      waiting.shift();
    }
  }
}
