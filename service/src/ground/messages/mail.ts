import { html } from 'hono/html';
import { minuteMs } from '../time.js';
import { type CodeContent, type DeliveryFailure, DeliveryUnavailable } from './message.js';
import { oneLine } from './one-line.js';
import { type AttemptWords, attemptFacts, attemptWords } from './words/attempt.js';
import type { Messages } from './words/messages.js';

export interface MailOptions {
  /**
   * `smtps://user:password@host:465` (implicit TLS) or `smtp://user:password@host:587` (STARTTLS if the server supports it;
   * with `?requireTLS=true`, required). The query can contain other Nodemailer options.
   */
  readonly url: string;
  /** Sender: an address, or `Name <address>`. */
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

/** Creates a mailer that sends over SMTP. Idle connections are closed after a minute. */
export function createMailer({ url, from }: MailOptions, timeoutMs: number): Mailer {
  // The error of `new URL` would contain the password.
  if (!/^smtps?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new RangeError('The URL of the mail server must begin with smtp:// or smtps://.');
  }
  let transport: ReturnType<typeof openTransport> | undefined;
  return {
    async send({ to, subject, text, html }) {
      const message = {
        from,
        // An object, because a string would be parsed as a list of addresses.
        to: { name: '', address: to },
        subject,
        text,
        html,
        // Prevents automatic replies (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        // Limits the total time, including the wait for a connection. The transport's timeouts limit single steps.
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

/** Loads Nodemailer on first use, because most processes send no mail. */
async function openTransport(url: string, timeoutMs: number) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    pool: true,
    idleTimeout: minuteMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Keeps only the codes of an error: Nodemailer's messages quote the server, which may quote addresses. */
function unavailable(error: unknown): DeliveryUnavailable {
  const { code, responseCode, command } = fieldsOf(error);
  return new DeliveryUnavailable('email', failureOfReply(code, responseCode, command), responseCode ?? code);
}

function failureOfReply(code?: string, reply?: number, command?: string): DeliveryFailure {
  if (code === 'EABORT' || code === 'ETIMEDOUT') return 'timeout';
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'credentials';
  // RFC 5321, section 4.2.1: 4yz is temporary, 5yz is permanent.
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

/** Content of both the plain text and the HTML body. */
export interface Content {
  readonly language: string;
  readonly subject: string;
  readonly intro: string;
  readonly code?: string;
  readonly notes: readonly string[];
  /** Shown last. */
  readonly link: { readonly text: string; readonly url: string } | undefined;
}

/**
 * Returns the mail with a code, as plain text and HTML. Its only link is for somebody who did not ask for the code, so that
 * users do not get used to clicking links.
 */
export function codeMail(
  { language, mail }: Messages,
  { code, expiresInMinutes, project, attempt, disownUrl }: CodeContent,
): Omit<Mail, 'to'> {
  const name = oneLine(project.name, 80);
  const content: Content = {
    language,
    subject: mail.subject(name),
    intro: mail.intro(name),
    // Two groups are easier to read and type. The space is accepted on input.
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
    notes: [
      ...(attempt ? [attemptNote(mail.attempt, attemptWords(language, attempt))] : []),
      mail.expiry(expiresInMinutes),
      mail.secrecy(name),
      mail.notYou(name),
    ],
    link: disownUrl === undefined ? undefined : { text: mail.disown, url: disownUrl },
  };
  return mailBodies(content);
}

/** Returns a mail as plain text and HTML. */
export function mailBodies(content: Content): Omit<Mail, 'to'> {
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) };
}

/** Returns the known facts about an attempt, each with its name. */
function attemptNote(names: Messages['mail']['attempt'], facts: AttemptWords): string {
  const known = attemptFacts.flatMap((fact) => (facts[fact] === undefined ? [] : `${names[fact]}: ${facts[fact]}.`));
  return [names.intro, ...known].join(' ');
}

function textOf({ intro, code, notes, link }: Content): string {
  const last = link ? [`${link.text} ${link.url}`] : [];
  return `${[intro, ...(code === undefined ? [] : [code]), ...notes, ...last].join('\n\n')}\n`;
}

// Contrast is above 7:1 in both schemes. Clients that drop the style sheet show the light one, from the attributes.
const dark = 'body,.page{background:#15171a!important;color:#e8e8e8!important}.code{color:#fff!important}';

// A link is longer than a phone is wide. `word-break` is for clients without `overflow-wrap: anywhere`.
const page =
  'margin:0;padding:24px 16px;background:#fff;color:#222;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere;word-break:break-word';

const digits = 'margin:24px 0;font:700 32px/1.2 ui-monospace,monospace;color:#000';

function htmlOf({ language, subject, intro, code, notes, link }: Content): string {
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
${
  code !== undefined &&
  html`<p class="code" style="${digits}">${code}</p>
`
}${notes.map((note) => html`<p>${note}</p>\n`)}${link && html`<p>${link.text} <a href="${link.url}" style="color:inherit">${link.url}</a></p>\n`}</div>
</body>
</html>
`);
}
