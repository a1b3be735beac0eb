export { enqueue, prepareQueue, waitingJobs } from './boss.js';
export type { JobData, JobHandlers, JobName } from './jobs.js';
export { type Queue, startQueue } from './worker.js';
