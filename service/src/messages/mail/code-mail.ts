import { html } from 'hono/html';
import { oneLine } from '../one-line.js';
import type { CodeMessage } from '../sender.js';
import type { Messages } from '../words/messages.js';
import type { Mail } from './mailer.js';

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
