import { sql } from 'kysely';
import { statement } from '../../ground/db/statement.js';
import type { Database } from '../service.js';

/** Job that a worker has leased. */
export interface TakenJob<Data = unknown> {
  readonly id: string;
  readonly data: Data;
  /** Number of earlier attempts. */
  readonly attempts: number;
}

/** Adds a scheduled job unless one of this name exists, and updates its interval. */
export const scheduleJob = statement<{ id: string; name: string; everySeconds: number }>()`
  insert into jobs (id, name, data, every, next_at)
  values (${'id'}, ${'name'}, '{}', make_interval(secs => ${'everySeconds'}), now())
  on conflict (name) where every is not null do update set every = excluded.every
  where jobs.every <> excluded.every`;

export const insertJob = statement<{ id: string; name: string; data: string }>()`
  insert into jobs (id, name, data, next_at) values (${'id'}, ${'name'}, ${'data'}, now())`;

/**
 * Leases the job of this name that has been due for longest. No other worker gets it until the lease or the attempt
 * ends.
 */
export const takeJob = statement<{ name: string; lease: string; leaseSeconds: number }, TakenJob>()`
  update jobs set lease = ${'lease'}::uuid, next_at = now() + make_interval(secs => ${'leaseSeconds'})
  where id = (
    select id from jobs where name = ${'name'} and next_at <= now() order by next_at limit 1 for update skip locked
  )
  returning id, data, attempts`;

/**
 * Ends an attempt. A scheduled job becomes due at the start of its next period; any other job is deleted. Does nothing
 * if the lease has expired and another worker took the job.
 */
export async function endJob(db: Database, id: string, lease: string): Promise<void> {
  await sql`delete from jobs where id = ${id} and lease = ${lease} and every is null`.execute(db);
  // Without a time zone, because Citus rejects a column in a function that depends on the session's time zone.
  await sql`
    update jobs set lease = null, attempts = 0,
      next_at = (date_bin(every, now() at time zone 'UTC', timestamp 'epoch') + every) at time zone 'UTC'
    where id = ${id} and lease = ${lease}
  `.execute(db);
}

/** Schedules a failed job for a retry. Does nothing if the lease has expired and another worker took the job. */
export const retryJob = statement<{ id: string; lease: string; delaySeconds: number }>()`
  update jobs set lease = null, attempts = attempts + 1, next_at = now() + make_interval(secs => ${'delaySeconds'})
  where id = ${'id'} and lease = ${'lease'}::uuid`;

/**
 * Returns the number of jobs of each name that are due or waiting for a retry. Scheduled jobs that are not yet due are
 * not counted.
 */
export async function countJobs(db: Database): Promise<{ name: string; count: number }[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select name, count(*)::int as count from jobs where lease is null and (every is null or next_at <= now())
    group by name
  `.execute(db);
  return rows;
}
