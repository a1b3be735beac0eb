import type { NoticeKind } from 'whorl/wire';
import { type Mail, mailBodies } from './mail.js';
import { oneLine } from './one-line.js';
import type { Attempt } from './rules/attempt.js';
import { attemptFacts, attemptWords } from './words/attempt.js';
import type { Messages } from './words/messages.js';

export interface NoticeMessage {
  readonly kind: NoticeKind;
  /** Name of the project. */
  readonly project: string;
  /** Whether the receiver's address is no longer the user's. */
  readonly isFormer: boolean;
  readonly attempt: Attempt;
  /** URL of the page where the receiver can say that it was not them. */
  readonly url: string;
}

/** Returns the mail about a device or a contact, as plain text and HTML. */
export function noticeMail(
  { language, mail, notices }: Messages,
  { kind, project, isFormer, attempt, url }: NoticeMessage,
): Omit<Mail, 'to'> {
  const name = oneLine(project, 80);
  const words = attemptWords(language, attempt);
  // A change of a contact is made by the application, which does not say from where.
  const shown = kind === 'contact_changed' ? (['time'] as const) : attemptFacts;
  const facts = shown.flatMap((fact) => (words[fact] === undefined ? [] : `${mail.attempt[fact]}: ${words[fact]}.`));
  const { subject, intro } = notices[kind];
  return mailBodies({
    language,
    subject: subject(name),
    intro: intro(name),
    notes: [facts.join(' '), ...(isFormer ? [notices.former] : []), notices.wasYou],
    link: { text: notices.notYou, url },
  });
}
