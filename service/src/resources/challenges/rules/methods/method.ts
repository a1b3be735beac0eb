import type { Channel } from 'whorl/wire';
import type { Language } from '../../../../ground/vocabulary.js';

/**
 * A way to send a code to a user. A new one needs this object and a line in `methods.ts`, its name in
 * `src/wire/channels.ts`, a provider and a line of `sender.ts` in `ground/messages/`, and its variables in
 * `server/config.ts`.
 */
export interface CodeMethod {
  readonly channel: Channel;
  /** The user's contact that codes are sent to. */
  readonly contact: 'email' | 'phone';
  /** Context under which the contact is encrypted. */
  readonly context: 'user.email' | 'user.phone';
  /** Returns the form of a contact that quotas are counted by. */
  normalise(to: string): string;
  /** Returns the form of a contact that may be shown. */
  mask(to: string): string;
  /** Says how a code is sent, by language: "by email". */
  readonly words: Readonly<Record<Language, string>>;
  /** Explains that the user has no such contact. */
  readonly missingContact: string;
  /** Explains how the operator enables the method. */
  readonly missingTransport: string;
}
