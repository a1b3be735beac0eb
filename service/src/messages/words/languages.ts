import { de } from './de.js';
import { en } from './en.js';
import type { Messages } from './messages.js';

const languages = new Map([de, en].map((messages) => [messages.language, messages]));

/** The messages in a language, by its tag; `de-AT` takes `de`. English where there are none. */
export function messagesIn(tag: string): Messages {
  const [language = ''] = tag.toLowerCase().split(/[-_]/);
  return languages.get(language) ?? en;
}
