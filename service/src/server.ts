import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { createApp } from './app.js';
import type { Config } from './config.js';
import { createSender, type MessageSender } from './delivery/index.js';
import { startQueue, waitingJobs } from './delivery/queue/index.js';
import { createMetrics, type Metrics } from './http/metrics.js';
import { jobHandlers } from './jobs.js';
import { openService } from './open-service.js';
import { type CreatedProject, createFirstProject } from './operations/projects.js';
import type { Service } from './service.js';
import type { OpenDatabase } from './store/database.js';

/** A request has arrived whole by then, or its connection ends; what answers it gives up earlier (10 s). */
const REQUEST_TIMEOUT_MS = 20_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Over the usual 60 s of load balancers, so that they are the ones who close. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const TIMEOUT_CHECK_MS = 2_000;
const LARGEST_HEADERS_BYTES = 16 * 1024;
const SHUTDOWN_LIMIT_MS = 10_000;
const IDLE_CHECK_MS = 50;

/** What a process is given from outside. */
export interface Surroundings {
  readonly log: Logger;
  /** Default: the system's clock. */
  readonly now?: () => Date;
  /** Default: as configured. */
  readonly sender?: MessageSender;
  /** Gives up waiting for a database that is away. */
  readonly signal?: AbortSignal;
  /** Told of the project that the first start makes, with keys that nobody can read again. */
  readonly onFirstProject?: (created: CreatedProject) => void;
}

export interface RunningServer {
  /** Where it listens. */
  readonly url: string;
  readonly service: Service;
  readonly database: OpenDatabase;
  /**
   * Takes no more requests, answers those that are there (10 s at most), ends background work and closes the database.
   */
  close(): Promise<void>;
}

/**
 * Starts the whole service: database, tables, background work, HTTP. Waits for a database that is away.
 *
 * @throws OperatorError with what keeps it from starting.
 */
export async function startServer(config: Config, surroundings: Surroundings): Promise<RunningServer> {
  const { log } = surroundings;
  const metrics = createMetrics();
  const sender = countSending(surroundings.sender ?? createSender(config), metrics);
  const { service, database } = await openService(config, { ...surroundings, sender });
  const closers = [() => database.close(), () => sender.close()];
  const closeAll = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
  };
  try {
    const first = await createFirstProject(service);
    if (first) surroundings.onFirstProject?.(first);
    if (config.workers) {
      const queue = await startQueue(database, jobHandlers(service), log);
      closers.push(() => queue.stop());
    }
    metrics.watchQueue(() => waitingJobs(database));
    const server = await listen(createApp({ service, config, metrics }), config);
    closers.push(() => closeServer(server, log));
    const url = urlOf(server);
    log.info({ url, database: database.kind }, 'Listening');
    return { url, service, database, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function listen(app: ReturnType<typeof createApp>, { host, port }: Config): Promise<Server> {
  const limits = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    maxHeaderSize: LARGEST_HEADERS_BYTES,
  };
  const server = createServer(limits, getRequestListener(app.fetch));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

/** Whoever keeps a connection open is told to close it after the answer in flight. */
async function closeServer(server: Server, log: Logger): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const limit = setTimeout(() => {
    log.warn(`Requests were still unanswered ${SHUTDOWN_LIMIT_MS} ms after the shutdown began: closing them`);
    server.closeAllConnections();
  }, SHUTDOWN_LIMIT_MS);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(idleCheck);
  clearTimeout(limit);
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const host = ['0.0.0.0', '::'].includes(address) ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
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
