import { randomUUID } from 'node:crypto';
import type { Database } from '../service.js';
import { type JobData, jobNames, type RequestedJob } from './jobs.js';
import { countJobs, insertJob } from './queries.js';

/** Adds a job. Workers see it once the transaction has committed. */
export async function enqueue<Name extends RequestedJob>(db: Database, name: Name, data: JobData[Name]): Promise<void> {
  await insertJob(db, { id: randomUUID(), name, data: JSON.stringify(data) });
}

/** Returns the number of waiting jobs of each name. */
export async function waitingJobs(db: Database): Promise<Record<string, number>> {
  const counts = new Map((await countJobs(db)).map(({ name, count }) => [name, count]));
  return Object.fromEntries(jobNames.map((name) => [name, counts.get(name) ?? 0]));
}
