import type { Channel } from 'whorl/wire';
import { codeMail, createMailer, type Mail, type MailOptions } from './mail.js';
import { type CodeContent, type CodeMessage, DeliveryUnavailable } from './message.js';
import {
  codeText,
  createHttpProvider,
  createTwilio,
  type HttpTextOptions,
  type TextProvider,
  type TwilioOptions,
} from './text.js';
import { messagesIn } from './words/languages.js';
import type { Messages } from './words/messages.js';

export type { Mail, MailOptions } from './mail.js';

type CodeSender = (messages: Messages, to: string, code: CodeContent) => Promise<void>;

/** Sends messages. Its methods reject only with DeliveryUnavailable. */
export interface MessageSender {
  /** Configured channels. */
  readonly channels: ReadonlySet<Channel>;
  /** Resolves when the provider has accepted the message. */
  sendCode(message: CodeMessage): Promise<void>;
  /** Sends a mail to an administrator. Resolves when the mail server has accepted it. */
  sendMail(mail: Mail): Promise<void>;
  /** Closes idle connections. Messages in progress are still sent. */
  close(): void;
}

export type TextOptions = ({ readonly kind: 'twilio' } & TwilioOptions) | ({ readonly kind: 'http' } & HttpTextOptions);

export interface SenderOptions {
  readonly mail?: MailOptions | undefined;
  readonly text?: TextOptions | undefined;
  /** Time limit of one message, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Creates a sender for the configured channels; the others fail with `not_configured`. Opens no connection before the
 * first message.
 * @throws RangeError if the URL of a provider is not valid.
 */
export function createSender({ mail, text, timeoutMs = 10_000 }: SenderOptions): MessageSender {
  const mailer = mail && createMailer(mail, timeoutMs);
  const provider = text && createTextProvider(text, timeoutMs);

  async function sendMail(message: Mail): Promise<void> {
    if (!mailer) throw new DeliveryUnavailable('email', 'not_configured');
    await mailer.send(message);
  }

  /** The configured ways to send a code. */
  const codeSenders = new Map<Channel, CodeSender>();
  if (provider) codeSenders.set('text', (messages, to, code) => provider.send(to, codeText(messages, code)));
  if (mailer) codeSenders.set('email', (messages, to, code) => mailer.send({ to, ...codeMail(messages, code) }));

  return {
    channels: new Set(codeSenders.keys()),
    async sendCode({ channel, to, language, ...code }) {
      const send = codeSenders.get(channel);
      if (!send) throw new DeliveryUnavailable(channel, 'not_configured');
      await send(messagesIn(language), to, code);
    },
    sendMail,
    close: () => mailer?.close(),
  };
}

function createTextProvider(options: TextOptions, timeoutMs: number): TextProvider {
  return options.kind === 'twilio' ? createTwilio(options, timeoutMs) : createHttpProvider(options, timeoutMs);
}
