import { de } from './de.js';
import { en } from './en.js';
import type { PageMessages } from './messages.js';

const languages = [en, de] as const;

/**
 * Returns the page's texts in the project's language, otherwise in the first available language of `Accept-Language`
 * (RFC 9110, 12.5.4), otherwise in English.
 */
export function pageMessagesFor(language: string | null, acceptLanguage: string | undefined): PageMessages {
  const preferred = language === null ? preferredLanguages(acceptLanguage ?? '') : [language];
  return preferred.map((tag) => languages.find((each) => each.language === tag)).find(Boolean) ?? en;
}

/** Returns the primary language tags, most preferred first. */
function preferredLanguages(header: string): string[] {
  return header
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = /q\s*=\s*([\d.]+)/.exec(parameters.join(';'))?.[1];
      return { tag: tag.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}
