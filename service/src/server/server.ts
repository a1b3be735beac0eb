import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { jobHandlers } from '../effects/jobs/handlers.js';
import type { Outcome } from '../effects/webhooks/deliver.js';
import { countWaiting } from '../effects/webhooks/queries/webhook-deliveries.js';
import { startWebhookWorker } from '../effects/webhooks/worker.js';
import type { OpenDatabase } from '../ground/db/database.js';
import { lazy } from '../ground/lazy.js';
import { createSender, type MessageSender } from '../ground/messages/sender.js';
import { createMetrics, type Metrics } from '../http/metrics.js';
import { SharedDemand } from '../http/shared-demand.js';
import { withDeadline } from '../http/work-limits.js';
import { storePending } from '../recognition/velocity/count.js';
import { openAddresses } from '../resources/addresses/open-addresses.js';
import { startUpdates } from '../resources/addresses/published/scheduled-updates.js';
import { type PublishedSources, readSources } from '../resources/addresses/published/sources.js';
import { agesOf } from '../resources/addresses/rules/age.js';
import { watchAge } from '../resources/addresses/watch-age.js';
import { requireEmergencyOwner } from '../resources/admins/emergency-owner.js';
import { makeFirstAdminLink } from '../resources/admins/links.js';
import { DeviceWatch, type WatchOptions } from '../resources/devices/watch.js';
import { type CreatedProject, createFirstProject, hasProjects } from '../resources/projects/projects.js';
import { startQueue, waitingJobs } from '../resources/queue/index.js';
import type { Service } from '../resources/service.js';
import { createApp } from './app.js';
import type { Config } from './config.js';
import { explainDatabase } from './explain-database.js';
import { listen } from './listen.js';
import { openWithReplica } from './open-replica.js';

/**
 * Receives secrets that a start creates and that cannot be read again, and passes them to the person who started the
 * service.
 */
export interface Handover {
  /**
   * Checks that keys can be delivered, before any are created.
   *
   * @throws OperatorError if they cannot.
   */
  prepare(): Promise<void>;
  firstProject(created: CreatedProject): Promise<void>;
  adminLink(url: string): Promise<void>;
}

/** Shorter than Prometheus waits for metrics. */
const countLimitMs = 2000;

const noMail =
  'No mail transport is configured: codes and reports of shared accounts cannot be sent by email. Set SMTP_URL and MAIL_FROM';

/** Dependencies of a running service. */
export interface ServerOptions {
  readonly log: Logger;
  /** Default: the system's clock. */
  readonly now?: () => Date;
  /** Default: as configured. */
  readonly sender?: MessageSender;
  /** Time limit of a request, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Options for event streams to pages. Defaults: see DeviceWatch. */
  readonly watch?: Pick<WatchOptions, 'pollMs'>;
  /** Interval of checks for changed files of addresses, and for due updates, in milliseconds. Default: 5 s and 1 min. */
  readonly checkAddressesEveryMs?: number;
  /** Aborts waiting for an unreachable database. */
  readonly signal?: AbortSignal;
  /**
   * Receives the keys of the project that the first start creates, and a link for creating the first administrator.
   * Default: the keys are discarded, and no link is created.
   */
  readonly handover?: Handover;
}

export interface RunningServer {
  /** URL on which the service listens. */
  readonly url: string;
  readonly service: Service;
  readonly database: OpenDatabase;
  /**
   * Reports as not ready for the configured delay, then stops accepting requests, finishes pending ones (at most 10 s),
   * stops background jobs and closes the database.
   */
  close(): Promise<void>;
}

/**
 * Starts the service: database, migrations, background jobs, HTTP. Waits if the database is unreachable.
 *
 * @throws OperatorError that says why the service cannot start.
 */
export async function startServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  const { log } = options;
  const metrics = createMetrics();
  const sender = countSending(options.sender ?? createSender(config), metrics);
  const checkEveryMs = options.checkAddressesEveryMs;
  const { addressSources, dataFolder } = config;
  const published = addressSources === undefined ? undefined : await readSources(addressSources, dataFolder);
  const addresses = await openAddresses(config.addressFiles, { log, checkEveryMs, published });
  const opening = openWithReplica(config, { ...options, sender, addresses: addresses.book });
  const { service, database, replica } = await opening.catch((error: unknown) => {
    addresses.close();
    throw error;
  });
  const closers = [
    () => database.close(),
    async () => replica?.close(),
    () => storePending(service),
    () => sender.close(),
    addresses.close,
  ];
  const closeAll = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
  };
  try {
    await requireEmergencyOwner(service);
    let stopWorking = async () => {};
    metrics.watchAddresses(() => agesOf(service.addresses.sources(), service.now()));
    closers.push(watchAge(service.addresses, service));
    if (config.workers) {
      if (published) closers.push(startUpdatesOf(published, { service, metrics, checkEveryMs }));
      const queue = await startQueue(service.db, jobHandlers(service), log);
      const onAttempt = (outcome: Outcome) => metrics.countDelivery({ channel: 'webhook', outcome });
      const worker = startWebhookWorker(service, { onAttempt });
      stopWorking = lazy(async () => void (await Promise.all([queue.stop(), worker.stop()])));
      closers.push(stopWorking);
    }
    metrics.watchQueue(() => depthsOf(service));
    const watch = new DeviceWatch(service, {
      ...options.watch,
      ...(database.listen && { listen: database.listen }),
    });
    metrics.watchStreams(() => watch.size);
    metrics.watchReplica(() => replica?.state);
    const { timeoutMs } = options;
    const stopping = new AbortController();
    const demand = new SharedDemand(service);
    // The embedded database has one process.
    if (database.kind === 'postgresql') demand.start();
    closers.push(() => demand.close());
    const app = createApp({
      service,
      metrics,
      watch,
      demand,
      stopping: stopping.signal,
      config: { ...config, ...(timeoutMs && { timeoutMs }) },
    });
    const listener = await listen(app, config, log);
    closers.push(() => listener.close());
    // Closed first, because event streams are responses that would not end by themselves.
    closers.push(() => watch.close());
    const { url } = listener;
    if (!sender.channels.has('email')) log.warn(noMail);
    // Done last, so that a failed start creates no keys.
    await handOver(service, options.handover);
    closers.push(async () => {
      stopping.abort();
      listener.announceClose();
      await pause(config.shutdownDelayMs);
      // Ends together with the pending requests, because both may take 10 seconds.
      void stopWorking();
    });
    log.info({ url, database: database.kind }, 'Listening');
    return { url, service, database, close: closeAll };
  } catch (error) {
    await closeAll();
    throw explainDatabase(config.database, error);
  }
}

/**
 * Returns the lengths of the queues; undefined if the database does not respond. The other metrics show what that causes, so
 * they must not be missing then.
 */
async function depthsOf({ db, log }: Service): Promise<Record<string, number> | undefined> {
  try {
    return await withDeadline(countLimitMs, async () => ({
      ...(await waitingJobs(db)),
      webhooks: await countWaiting(db),
    }));
  } catch (error) {
    log.warn({ error }, 'Waiting jobs could not be counted');
    return undefined;
  }
}

interface UpdatesOptions {
  readonly service: Service;
  readonly metrics: Metrics;
  readonly checkEveryMs: number | undefined;
}

function startUpdatesOf(published: PublishedSources, options: UpdatesOptions): () => Promise<void> {
  const { service, metrics, checkEveryMs } = options;
  return startUpdates(published, {
    log: service.log,
    now: service.now,
    environment: process.env,
    checkEveryMs,
    onResult: ({ source, outcome }) => metrics.countAddressUpdate({ source: source.name, outcome }),
  });
}

async function handOver(service: Service, handover: Handover | undefined): Promise<void> {
  if (!(await hasProjects(service))) {
    await handover?.prepare();
    const created = await createFirstProject(service);
    if (created) await handover?.firstProject(created);
  }
  const link = handover && (await makeFirstAdminLink(service));
  if (link) await handover?.adminLink(link);
}

function countSending(sender: MessageSender, metrics: Metrics): MessageSender {
  const count = async (channel: string, sending: Promise<void>) => {
    try {
      await sending;
      metrics.countDelivery({ channel, outcome: 'delivered' });
    } catch (error) {
      metrics.countDelivery({ channel, outcome: 'failed' });
      throw error;
    }
  };
  return {
    channels: sender.channels,
    sendCode: (message) => count(message.channel, sender.sendCode(message)),
    sendMail: (mail) => count('email', sender.sendMail(mail)),
    close: () => sender.close(),
  };
}
