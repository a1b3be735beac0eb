import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from '../http/fields.js';
import { readJson } from '../http/json.js';
import { listenOnLoopback } from '../http/listen.js';
import { Refusal } from '../http/refusal.js';
import type { Mailbox } from './mailbox.js';

export interface TextProvider {
  /** For the service's TEXT_URL. */
  readonly url: string;
  /** For its TEXT_TOKEN. */
  readonly token: string;
  close(): Promise<void>;
}

/** Stands for a provider of text messages, for this machine alone: it delivers them into the mailbox. */
export async function startTextProvider(mailbox: Mailbox): Promise<TextProvider> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer(async (request, response) => {
    try {
      if (request.headers.authorization !== `Bearer ${token}`) throw new Refusal(401, 'unauthorized', 'A wrong token.');
      const body = await readJson(request);
      mailbox.add({ kind: 'text', to: text(body, 'to', 32), body: text(body, 'body', 1000) });
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(error instanceof Refusal ? error.status : 500).end();
    }
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/messages`,
    token,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
