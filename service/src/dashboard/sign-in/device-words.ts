import Bowser from 'bowser';

/** Longer than any browser's, and short enough to be matched quickly by all patterns. */
const maxLength = 1000;

/** Returns browser and system of a `User-Agent` in words, such as "Firefox on Linux". */
export function deviceWords(userAgent: string | undefined): string {
  const text = userAgent?.slice(0, maxLength);
  if (!text) return 'Unknown device';
  const parser = Bowser.getParser(text, true);
  const [browser, system] = [parser.getBrowserName(), parser.getOSName()];
  if (browser && system) return `${browser} on ${system}`;
  return browser || system || 'Unknown device';
}
