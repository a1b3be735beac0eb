import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createApp, createStartingApp } from './app.js';
import { ExchangeLog } from './exchanges.js';
import { type Listener, serve } from './http/listen.js';
import { Site } from './http/site.js';
import { hostNames, type Options } from './options.js';
import { checkBuild } from './routes/pages.js';
import { forgetAdminLink, readAdminLink } from './service/admin-link.js';
import { prepareService } from './service/prepare.js';
import { startService } from './service/start-service.js';
import { Sessions } from './users/sessions.js';
import { Users } from './users/users.js';
import { createWhorl } from './whorl.js';

export interface RunningDemo {
  /** The URL to show to people. */
  readonly url: string;
  readonly serviceUrl: string;
  /** A link for creating the dashboard's first administrator. Undefined if there already is one. */
  readonly adminLink: string | undefined;
  /** Resolves with the end of the service's output if it exits unexpectedly. */
  readonly serviceEnded: Promise<string>;
  /** Stops everything that was started. */
  close(): Promise<void>;
}

/** Starts pages, mailbox and service. @throws StartError with the reason for a failure. */
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
  checkBuild();
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const users = await Users.open(join(dataFolder, 'users.json'));
  // The pages' URL must be known before the service starts, which takes a while.
  let app: Pick<ReturnType<typeof createApp>, 'fetch'> = createStartingApp();
  const place = { port: options.port, host, label: 'the pages', variable: 'PORT' };
  const pages = await serve({ fetch: (request, env) => app.fetch(request, env) }, place);
  closers.push(() => pages.close());
  const reserved = await reserveServicePort(options);
  closers.push(() => reserved.close());
  const site = new Site(hostNames(host), pages.port, reserved.port);

  const prepared = await prepareService(options, site, closers);
  const { mailbox, project, webhookSecret } = prepared;
  const servicePort = new URL(site.serviceUrl).port || '80';
  const environment = { ...prepared.environment, HOST: host, PORT: servicePort, LOG_LEVEL: 'warn' };
  await forgetAdminLink(environment.DATA_FOLDER);
  await reserved.close();
  const service = await startService(site.serviceUrl, environment);
  closers.push(() => service.stop());
  const adminLink = await readAdminLink(site.serviceUrl, environment.DATA_FOLDER);

  const exchanges = new ExchangeLog();
  const { secret, publishable } = project.keys[keys];
  const whorl = createWhorl(site.serviceUrl, secret, exchanges);
  app = createApp({
    users,
    sessions: new Sessions(),
    whorl,
    webhookSecret,
    exchanges,
    mailbox,
    site,
    project: { id: project.id, clientId: publishable },
  });
  return { url: site.url, serviceUrl: site.serviceUrl, adminLink, serviceEnded: service.ended };
}

/**
 * Holds a port for the service until it starts, because filling its database takes a while.
 *
 * @throws StartError if the port is in use.
 */
function reserveServicePort({ servicePort, host }: Options): Promise<Listener> {
  return serve(createStartingApp(), { port: servicePort, host, label: 'the service', variable: 'SERVICE_PORT' });
}
