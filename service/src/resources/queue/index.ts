export type { JobHandlers } from './jobs.js';
export { enqueue, waitingJobs } from './queue.js';
export { startQueue } from './worker.js';
