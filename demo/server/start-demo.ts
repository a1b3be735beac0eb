import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { ExchangeLog } from './exchanges.js';
import { findFiles } from './http/files.js';
import { listen } from './http/listen.js';
import { Site } from './http/site.js';
import { createWebServer, type Ready } from './http/web-server.js';
import { hostNames, type Options } from './options.js';
import { forgetAdminLink, readAdminLink } from './service/admin-link.js';
import { prepareService } from './service/prepare.js';
import { startService } from './service/start-service.js';
import { Sessions } from './users/sessions.js';
import { Users } from './users/users.js';
import { createWhorl } from './whorl.js';

export interface RunningDemo {
  /** The address to tell people. */
  readonly url: string;
  readonly serviceUrl: string;
  /** A link to become the dashboard's first administrator; undefined where there is one. */
  readonly adminLink: string | undefined;
  /** Resolves, with what it said last, should the service end by itself. */
  readonly serviceEnded: Promise<string>;
  /** Ends everything that was started. */
  close(): Promise<void>;
}

/** Starts pages, mailbox and service. @throws StartError with what is in the way. */
export async function startDemo(options: Options): Promise<RunningDemo> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
  };
  try {
    return { ...(await start(options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(options: Options, closers: (() => Promise<void>)[]): Promise<Omit<RunningDemo, 'close'>> {
  const { host, dataFolder, keys } = options;
  let ready: Ready | undefined;
  const webServer = createWebServer(findFiles(), () => ready);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const users = await Users.open(join(dataFolder, 'users.json'));
  const port = await listen(webServer, { port: options.port, host, what: 'the pages', variable: 'PORT' });
  closers.push(() => closeServer(webServer));
  const site = new Site(hostNames(host), port, await freeServicePort(options));

  const prepared = await prepareService(options, site, closers);
  const { mailbox, project, webhookSecret } = prepared;
  const servicePort = new URL(site.serviceUrl).port || '80';
  const environment = { ...prepared.environment, HOST: host, PORT: servicePort, LOG_LEVEL: 'warn' };
  await forgetAdminLink(environment.DATA_FOLDER);
  const service = await startService(site.serviceUrl, environment);
  closers.push(() => service.stop());
  const adminLink = await readAdminLink(site.serviceUrl, environment.DATA_FOLDER);

  const exchanges = new ExchangeLog();
  const { secret, publishable } = project.keys[keys];
  const whorl = createWhorl(site.serviceUrl, secret, exchanges);
  const demo = {
    ...{ users, sessions: new Sessions(), whorl, webhookSecret, exchanges, mailbox },
    project: { id: project.id, clientId: publishable },
  };
  ready = { demo, site };
  return { url: site.url, serviceUrl: site.serviceUrl, adminLink, serviceEnded: service.ended };
}

/** The service's port, found free before its database is opened. @throws StartError where it is taken. */
async function freeServicePort({ servicePort, host }: Options): Promise<number> {
  const server = createServer();
  const port = await listen(server, { port: servicePort, host, what: 'the service', variable: 'SERVICE_PORT' });
  await closeServer(server);
  return port;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
