import { onTestFinished } from 'vitest';
import type { CodeMessage } from '../../../src/ground/messages/message.js';
import { createSender, type MessageSender } from '../../../src/ground/messages/sender.js';
import { type MailServer, startMailServer } from './smtp.js';

/** Starts a mail server for one test. */
export async function mailServer(...options: Parameters<typeof startMailServer>): Promise<MailServer> {
  const server = await startMailServer(...options);
  onTestFinished(server.close);
  return server;
}

/** Returns a sender for one test, with email only. */
export function senderTo(url: string, timeoutMs?: number): MessageSender {
  const sender = createSender({ mail: { url, from: 'Shop Accounts <no-reply@shop.example>' }, timeoutMs });
  onTestFinished(sender.close);
  return sender;
}

/** Default message. */
export const message: CodeMessage = {
  channel: 'email',
  to: 'jane.doe@example.com',
  code: '012345',
  expiresInMinutes: 10,
  project: { name: 'Shop' },
  language: 'en',
};
/** Personal data of the message, which no log may contain. */
export const personal = ['jane', 'example.com', '012345', '012 345'];
