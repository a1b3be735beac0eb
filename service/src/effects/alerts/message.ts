import { type Mail, mailBodies } from '../../ground/messages/mail.js';
import { oneLine } from '../../ground/messages/one-line.js';
import { slackText } from './rules/slack-text.js';

/** A message in words, as plain text. */
export interface Message {
  readonly language: string;
  readonly subject: string;
  readonly intro: string;
  readonly lines: readonly string[];
  /** Page of the dashboard. */
  readonly link: { readonly text: string; readonly url: string };
}

/** Maximum length of a line, in characters. */
const maxLine = 500;

/** Returns a message as a mail, in plain text and HTML. */
export function messageMail({ language, subject, intro, lines, link }: Message): Omit<Mail, 'to'> {
  const notes = lines.map((line) => oneLine(line, maxLine));
  return mailBodies({ language, subject: oneLine(subject, 200), intro: oneLine(intro, 200), notes, link });
}

/** Returns a message as the body of a request to an incoming webhook of Slack. */
export function messageSlack({ intro, lines, link }: Message): string {
  const shown = lines.map((line) => `• ${oneLine(line, maxLine)}`);
  return JSON.stringify({ text: slackText([oneLine(intro, 200), ...shown, `${link.text} ${link.url}`]) });
}
