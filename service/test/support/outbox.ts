import type { Mail } from '../../src/ground/messages/mail.js';
import type { CodeMessage } from '../../src/ground/messages/message.js';
import type { MessageSender } from '../../src/ground/messages/sender.js';

/** Sender that records messages instead of sending them. */
export interface Outbox extends MessageSender {
  readonly codes: CodeMessage[];
  readonly mails: Mail[];
}

export function createOutbox(): Outbox {
  const codes: CodeMessage[] = [];
  const mails: Mail[] = [];
  return {
    codes,
    mails,
    channels: new Set(['text', 'email'] as const),
    sendCode: async (message) => void codes.push(message),
    sendMail: async (mail) => void mails.push(mail),
    close: () => undefined,
  };
}
