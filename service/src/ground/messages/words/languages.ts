import { de } from './de.js';
import { en } from './en.js';
import type { Messages } from './messages.js';

const languages = new Map([de, en].map((messages) => [messages.language, messages]));

/** Returns the messages for a language tag, `de` for `de-AT`; English if the language is not supported. */
export function messagesIn(tag: string): Messages {
  const [language = ''] = tag.toLowerCase().split(/[-_]/);
  return languages.get(language) ?? en;
}
