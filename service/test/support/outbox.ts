import type { CodeMessage, Mail, MessageSender } from '../../src/testing.js';

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
