import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { bodyLimit } from 'hono/body-limit';
import { parseFields, text } from '../http/fields.js';
import { loopback, serve } from '../http/listen.js';
import type { Mailbox } from './mailbox.js';

export interface TextProvider {
  /** The value of the service's TEXT_URL. */
  readonly url: string;
  /** The value of the service's TEXT_TOKEN. */
  readonly token: string;
  close(): Promise<void>;
}

/** Starts a provider of text messages, for this machine only, which delivers them to the mailbox. */
export async function startTextProvider(mailbox: Mailbox): Promise<TextProvider> {
  const token = randomBytes(24).toString('base64url');
  const app = new Hono().post('/messages', bearerAuth({ token }), bodyLimit({ maxSize: 16 * 1024 }), async (c) => {
    const fields = await parseFields(c);
    mailbox.add({ kind: 'text', to: text(fields, 'to', 32), body: text(fields, 'body', 1000) });
    return c.body(null, 204);
  });
  const { port, close } = await serve(app, loopback);
  return { url: `http://127.0.0.1:${port}/messages`, token, close };
}
