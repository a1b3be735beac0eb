import type { Settings } from '../../../../resources/projects/rules/settings.js';
import type { AlertWords } from './alert-words.js';
import { de } from './de.js';
import { en } from './en.js';

const languages: Readonly<Record<Settings['alert_language'], AlertWords>> = { en, de };

/** Returns the texts of a project's alerts. */
export function alertWordsIn(language: Settings['alert_language']): AlertWords {
  return languages[language];
}
