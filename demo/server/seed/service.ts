import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serviceProgram } from '../folders.js';
import { StartError } from '../start-error.js';
import type { Clock } from './clock.js';

/** The service in this process, on the demo's database, with an adjustable clock. */
export interface SeedService {
  readonly url: string;
  /** Runs the regular delivery of webhooks that are due. */
  deliver(): Promise<void>;
  /** Runs the regular work on expired challenges and unused devices. */
  maintain(): Promise<void>;
  /** Runs the regular report on a user (by the service's ID) whose account appears to be shared. */
  reportSharing(userId: string): Promise<void>;
  /** Updates the dashboard's counts for the past, even if the demo has run before. */
  recount(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The parts of the built service that the seed uses. Its own workers use the system's clock, so the seed runs
 * their work on demand.
 */
interface Parts {
  readConfig(environment: Readonly<Record<string, string>>): object;
  createLog(level: string): object;
  startServer(
    config: object,
    options: { log: object; now: () => Date },
  ): Promise<{ readonly url: string; readonly service: object; close(): Promise<void> }>;
  jobHandlers(service: object): {
    expire_challenges(): Promise<void>;
    detach_idle_devices(): Promise<void>;
    report_sharing(data: { userId: string }): Promise<void>;
  };
  recountActivity(service: object): Promise<void>;
  dueEndpoints(service: object): Promise<string[]>;
  deliverTo(
    service: object,
    endpoint: string,
    options: { onAttempt: (outcome: 'delivered' | 'failed') => void },
  ): Promise<void>;
}

const files = [
  'server/config.js',
  'server/log.js',
  'server/server.js',
  'effects/jobs/handlers.js',
  'effects/jobs/fold-activity.js',
  'effects/webhooks/deliver.js',
];

/**
 * Starts the service in this process.
 *
 * @param onAttempt Called with each attempt to deliver an event.
 * @throws StartError if the database is in use.
 */
export async function startSeedService(
  environment: Readonly<Record<string, string>>,
  clock: Clock,
  onAttempt: (outcome: 'delivered' | 'failed') => void,
): Promise<SeedService> {
  const folder = dirname(serviceProgram);
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)));
  const parts: Parts = Object.assign({}, ...modules);
  const config = parts.readConfig({ ...environment, HOST: '127.0.0.1', PORT: '0', WORKERS: 'false' });
  const log = parts.createLog('warn');
  const server = await parts.startServer(config, { log, now: clock.now }).catch((error: unknown) => {
    throw new StartError(error instanceof Error ? error.message : String(error));
  });
  const { url, service, close } = server;
  const jobs = parts.jobHandlers(service);
  return {
    url,
    async deliver() {
      for (const endpoint of await parts.dueEndpoints(service)) await parts.deliverTo(service, endpoint, { onAttempt });
    },
    async maintain() {
      await jobs.expire_challenges();
      await jobs.detach_idle_devices();
    },
    recount: () => parts.recountActivity(service),
    reportSharing: (userId) => jobs.report_sharing({ userId }),
    close,
  };
}
