import { isDeepStrictEqual } from 'node:util';
import { CompiledQuery } from 'kysely';
import PgBoss from 'pg-boss';
import type { Database } from '../../service.js';
import type { OpenDatabase } from '../../store/database.js';
import { aloneMigrating } from '../../store/migrate.js';
import { type JobData, type JobName, jobKinds, jobNames } from './jobs.js';

/** A job that runs longer is given up, and may run a second time. */
const LONGEST_RUN_SECONDS = 15 * 60;
const RETRY_DELAY_SECONDS = 30;
const DAY_SECONDS = 86_400;
/** Over the longest pause between jobs that come by themselves: what is archived no longer keeps a second one away. */
const KEPT_SECONDS = 2 * DAY_SECONDS;

type Sql = PgBoss.Db['executeSql'];

/** pg-boss on a database of ours. Its own clock and workers are not used: see startQueue. */
export function createBoss(executeSql: Sql, options: { supervise: boolean; migrate?: boolean }): PgBoss {
  return new PgBoss({
    db: { executeSql },
    schedule: false,
    ...options,
    archiveCompletedAfterSeconds: KEPT_SECONDS,
    deleteAfterSeconds: KEPT_SECONDS,
  });
}

/** Makes the queue's tables, or brings them up to date. Safe while other processes do the same. */
export async function prepareQueue(database: OpenDatabase): Promise<void> {
  if (await isPrepared(database)) return;
  // The embedded database has one process, and one connection: none is left beside the one that holds the lock.
  if (database.kind === 'embedded') await install(database);
  // pg-boss's own lock comes after its first statement, which fails when several processes are at it.
  else await aloneMigrating(database.db, () => install(database));
}

/** Whether the tables are of pg-boss's own version, and the queues as they should be: looks only, and waits for nobody. */
async function isPrepared({ executeSql }: OpenDatabase): Promise<boolean> {
  const boss = createBoss(executeSql, { supervise: false, migrate: false });
  try {
    await boss.start();
  } catch {
    // Without its tables, or with those of another version. Whatever else it is keeps them from being made as well.
    return false;
  }
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  await boss.stop();
  return jobNames.every((name) => isDeepStrictEqual({ ...queues.get(name), ...queueOf(name) }, queues.get(name)));
}

async function install({ executeSql }: OpenDatabase): Promise<void> {
  const boss = createBoss(executeSql, { supervise: false });
  await boss.start();
  for (const name of jobNames) {
    await boss.createQueue(name, queueOf(name));
    // One made by an older version keeps what it was made with.
    await boss.updateQueue(name, queueOf(name));
  }
  await boss.stop();
}

/** A new object each time: pg-boss writes into it. */
function queueOf(name: JobName) {
  return {
    name,
    policy: 'standard' as const,
    retryLimit: jobKinds[name].retries,
    retryDelay: RETRY_DELAY_SECONDS,
    retryBackoff: true,
    expireInSeconds: LONGEST_RUN_SECONDS,
  };
}

/** How many jobs of each kind wait to be done. */
export async function waitingJobs({ executeSql }: OpenDatabase): Promise<Record<string, number>> {
  const boss = createBoss(executeSql, { supervise: false });
  const sizes = await Promise.all(jobNames.map((name) => boss.getQueueSize(name)));
  return Object.fromEntries(jobNames.map((name, at) => [name, sizes[at] ?? 0]));
}

const sender = createBoss(() => Promise.reject(new Error('A job is sent through what it is given')), {
  supervise: false,
});

/** Asks for a job. Given a transaction, the job is there once that has committed, and only then. */
export async function enqueue<Name extends JobName>(db: Database, name: Name, data: JobData[Name]): Promise<void> {
  const executeSql: Sql = (text, values) => db.executeQuery(CompiledQuery.raw(text, values));
  await sender.send(name, data, { db: { executeSql } });
}
