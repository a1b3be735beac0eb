export type { JobData, JobHandlers, JobName } from './jobs.js';
export { enqueue, waitingJobs } from './queue.js';
export { type Queue, startQueue } from './worker.js';
