import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { listen, loopback } from '../http/listen.js';
import type { Mailbox } from './mailbox.js';

export interface MailServer {
  /** The value of the service's SMTP_URL. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a real mail server, for this machine only, which delivers all emails to the mailbox. */
export async function startMailServer(mailbox: Mailbox): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 500,
    size: 256 * 1024,
    onData(stream, { envelope }, done) {
      const deliver = async () => {
        const { subject = '', text = '', html } = await PostalMime.parse(await buffer(stream));
        for (const { address } of envelope.rcptTo) {
          mailbox.add({ kind: 'mail', to: address, subject, body: text.trim(), ...(html && { html }) });
        }
      };
      deliver().then(() => done(), done);
    },
  });
  // A client that disconnects raises an error here. It needs no handling.
  server.on('error', () => undefined);
  const port = await listen(server.server, loopback);
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
