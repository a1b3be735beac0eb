import { html } from 'hono/html';
import { type CodeMessage, type DeliveryFailure, DeliveryUnavailable } from './message.js';
import { oneLine } from './one-line.js';
import type { Messages } from './words/messages.js';

export interface MailOptions {
  /**
   * `smtps://user:password@host:465` (TLS from the start) or `smtp://user:password@host:587` (STARTTLS where the server
   * offers it; with `?requireTLS=true` nothing is sent without). Other options of Nodemailer's can follow in the query.
   */
  readonly url: string;
  /** Who the mail is from: an address, or `Name <address>`. */
  readonly from: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Sends mail over SMTP, on connections that stay open for a minute after they were last used. */
export function createMailer({ url, from }: MailOptions, timeoutMs: number): Mailer {
  // Not with URL's own error: it carries the password.
  if (!/^smtps?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new RangeError('The address of the mail server begins with smtp:// or smtps://.');
  }
  let transport: ReturnType<typeof openTransport> | undefined;
  return {
    async send({ to, subject, text, html }) {
      const message = {
        from,
        // As an object: a text would be read as a list of addresses.
        to: { name: '', address: to },
        subject,
        text,
        html,
        // RFC 3834: nobody's absence note should answer.
        headers: { 'Auto-Submitted': 'auto-generated' },
        // The others are for each step; this one is for all of them, and for waiting for a connection.
        signal: AbortSignal.timeout(timeoutMs),
      };
      try {
        transport ??= openTransport(url, timeoutMs);
        await (await transport).sendMail(message);
      } catch (error) {
        throw unavailable(error);
      }
    },
    close() {
      void transport?.then(
        (it) => it.close(),
        () => undefined,
      );
    },
  };
}

/** Nodemailer is loaded with the first mail: most processes send none. */
async function openTransport(url: string, timeoutMs: number) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    pool: true,
    idleTimeout: 60_000,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Keeps codes and drops words: Nodemailer's errors quote the server's, which quote addresses. */
function unavailable(error: unknown): DeliveryUnavailable {
  const { code, responseCode, command } = fieldsOf(error);
  return new DeliveryUnavailable('email', failureOfReply(code, responseCode, command), responseCode ?? code);
}

function failureOfReply(code?: string, reply?: number, command?: string): DeliveryFailure {
  if (code === 'EABORT' || code === 'ETIMEDOUT') return 'timeout';
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'credentials';
  // RFC 5321, 4.2.1: 4yz is for now, 5yz for good.
  if (reply !== undefined && reply < 500) return 'busy';
  if (code === 'EENVELOPE' && command === 'RCPT TO') return 'recipient';
  return reply === undefined && code !== 'EENVELOPE' ? 'unreachable' : 'refused';
}

function fieldsOf(error: unknown): { code?: string; responseCode?: number; command?: string } {
  if (!(error instanceof Error)) return {};
  return {
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...('responseCode' in error && typeof error.responseCode === 'number' && { responseCode: error.responseCode }),
    ...('command' in error && typeof error.command === 'string' && { command: error.command }),
  };
}

/** What both bodies are made from. */
interface Content {
  readonly language: string;
  readonly subject: string;
  readonly intro: string;
  readonly code: string;
  readonly notes: readonly string[];
}

/** The mail with a code: subject, and the same words as plain text and as HTML. No links: nobody learns to click. */
export function codeMail(
  { language, mail }: Messages,
  { code, expiresInMinutes, project }: Pick<CodeMessage, 'code' | 'expiresInMinutes' | 'project'>,
): Omit<Mail, 'to'> {
  const name = oneLine(project.name, 80);
  const content: Content = {
    language,
    subject: mail.subject(name),
    intro: mail.intro(name),
    // In two groups it can be read aloud and typed; the space may be typed too.
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
    notes: [mail.expiry(expiresInMinutes), mail.secrecy(name), mail.notYou(name)],
  };
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) };
}

function textOf({ intro, code, notes }: Content): string {
  return `${[intro, code, ...notes].join('\n\n')}\n`;
}

// Contrast is above 7:1 in both schemes. Programs that drop the style sheet show the light one, from the attributes.
const dark = 'body,.page{background:#15171a!important;color:#e8e8e8!important}.code{color:#fff!important}';

const page = 'margin:0;padding:24px 16px;background:#fff;color:#222;font:16px/1.5 system-ui,sans-serif';

const digits = 'margin:24px 0;font:700 32px/1.2 ui-monospace,monospace;color:#000';

function htmlOf({ language, subject, intro, code, notes }: Content): string {
  return String(html`<!doctype html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${dark}}</style>
</head>
<body style="margin:0">
<div class="page" style="${page}">
<p>${intro}</p>
<p class="code" style="${digits}">${code}</p>
${notes.map((note) => html`<p>${note}</p>\n`)}</div>
</body>
</html>
`);
}
