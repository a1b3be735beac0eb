import { lookup } from 'node:dns/promises';
import { join } from 'node:path';
import { vpnListFile } from '../folders.js';
import type { Site } from '../http/site.js';
import { startMailServer } from '../mailbox/mail-server.js';
import { Mailbox } from '../mailbox/mailbox.js';
import { startTextProvider } from '../mailbox/text-provider.js';
import type { Options } from '../options.js';
import { WEBHOOK_PATH } from '../routes/webhooks.js';
import { type Project, prepareProject, prepareWebhooks } from './project.js';
import type { Environment } from './run.js';

/** The prerequisites of the service. */
export interface Prepared {
  /** The environment of the service. */
  readonly environment: Environment & { readonly DATA_FOLDER: string };
  /** The mailbox that receives all messages. */
  readonly mailbox: Mailbox;
  readonly project: Project;
  readonly webhookSecret: string;
}

/**
 * Starts the mail server and the text message provider, and creates the project in the database, with the demo as a
 * receiver of its events.
 *
 * @param closers Receives functions that stop what was started.
 * @throws StartError with the output of the service's command line.
 */
export async function prepareService(
  { dataFolder, keys, moreOrigins }: Options,
  site: Site,
  closers: (() => Promise<void>)[],
): Promise<Prepared> {
  const mailbox = new Mailbox();
  const mailServer = await startMailServer(mailbox);
  closers.push(() => mailServer.close());
  const textProvider = await startTextProvider(mailbox);
  closers.push(() => textProvider.close());
  const environment = {
    PUBLIC_URL: site.serviceUrl,
    DATA_FOLDER: join(dataFolder, 'service'),
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Whorl demo <no-reply@whorl.example>',
    TEXT_URL: textProvider.url,
    TEXT_TOKEN: textProvider.token,
    ADDRESS_LISTS: `vpn=${vpnListFile}`,
    ALLOW_PRIVATE_WEBHOOKS: await ownAddresses(site),
  };
  const webhook = { url: site.url + WEBHOOK_PATH, mode: keys };
  const origins = [...site.origins, ...moreOrigins];
  const project = await prepareProject(dataFolder, environment, { origins, webhook });
  const webhookSecret = await prepareWebhooks(dataFolder, environment, { project, target: webhook });
  return { environment, mailbox, project, webhookSecret };
}

/** Returns the addresses of the demo's own server, which receives webhooks, and of other servers on this machine. */
async function ownAddresses({ url }: Site): Promise<string> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true });
  return ['127.0.0.0/8', '::1', ...found.map(({ address }) => address)].join();
}
