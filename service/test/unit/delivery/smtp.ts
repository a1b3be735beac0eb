import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly parsed: Email;
}

export interface MailServer {
  readonly port: number;
  readonly received: readonly Received[];
  /** Number of accepted connections. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Starts a real mail server on a free local port, which records all emails. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: Received[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks);
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw: raw.toString('utf8'),
          parsed: await PostalMime.parse(raw),
        });
        done();
      });
    },
    ...options,
  });
  // Some tests disconnect early, which raises an error in the server.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    received,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
