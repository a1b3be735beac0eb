import { sql } from 'kysely';
import { statement } from '../../db/statement.js';
import type { Database } from '../../service.js';

/** A job that a worker has taken. */
export interface TakenJob<Data = unknown> {
  readonly id: string;
  readonly data: Data;
  /** The attempts before this one. */
  readonly attempts: number;
}

/** Adds a scheduled job where there is none of this name, and keeps its period up to date. */
export const scheduleJob = statement<{ id: string; name: string; everySeconds: number }>()`
  insert into jobs (id, name, data, every, next_at)
  values (${'id'}, ${'name'}, '{}', make_interval(secs => ${'everySeconds'}), now())
  on conflict (name) where every is not null do update set every = excluded.every
  where jobs.every <> excluded.every`;

export const insertJob = statement<{ id: string; name: string; data: string }>()`
  insert into jobs (id, name, data, next_at) values (${'id'}, ${'name'}, ${'data'}, now())`;

/**
 * Takes the job of this name that has been due for longest. Nobody else gets it until the lease ends, unless the
 * attempt ends before.
 */
export const takeJob = statement<{ name: string; claim: string; leaseSeconds: number }, TakenJob>()`
  update jobs set claim = ${'claim'}::uuid, next_at = now() + make_interval(secs => ${'leaseSeconds'})
  where id = (
    select id from jobs where name = ${'name'} and next_at <= now() order by next_at limit 1 for update skip locked
  )
  returning id, data, attempts`;

/**
 * Ends an attempt. A scheduled job becomes due at the start of its next period, any other is deleted. Does nothing
 * where the lease has ended and somebody else took the job.
 */
export async function endJob(db: Database, id: string, claim: string): Promise<void> {
  await sql`delete from jobs where id = ${id} and claim = ${claim} and every is null`.execute(db);
  await sql`
    update jobs set claim = null, attempts = 0, next_at = date_bin(every, now(), 'epoch') + every
    where id = ${id} and claim = ${claim}
  `.execute(db);
}

/** Makes a failed job due again. Does nothing where the lease has ended and somebody else took the job. */
export const retryJob = statement<{ id: string; claim: string; delaySeconds: number }>()`
  update jobs set claim = null, attempts = attempts + 1, next_at = now() + make_interval(secs => ${'delaySeconds'})
  where id = ${'id'} and claim = ${'claim'}::uuid`;

/** How many jobs of each name are due or wait to be tried again. Scheduled jobs that are not due yet do not count. */
export async function countJobs(db: Database): Promise<{ name: string; count: number }[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select name, count(*)::int as count from jobs where claim is null and (every is null or next_at <= now())
    group by name
  `.execute(db);
  return rows;
}
