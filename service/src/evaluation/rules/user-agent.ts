import Bowser from 'bowser';
import type { Descriptor } from 'whorl/fingerprint';

/** What a `User-Agent` and a fingerprint can disagree on. */
export type Contradiction = 'family' | 'system' | 'version';

/** Longer than any browser's, and short enough that no pattern takes long over it. */
const longestUserAgent = 1000;

const familyOfEngine: Readonly<Record<string, Descriptor['browser'] | 'other'>> = {
  Blink: 'Chromium',
  WebKit: 'WebKit',
  Gecko: 'Firefox',
  Trident: 'other',
  Presto: 'other',
};

const systemOfName: Readonly<Record<string, Descriptor['os']>> = {
  Windows: 'Windows',
  macOS: 'macOS',
  Linux: 'Linux',
  Android: 'Android',
  iOS: 'iOS',
  'Chrome OS': 'ChromeOS',
};

/** Where the package reads the version from. Makers such as Opera count their own versions, so theirs is no measure. */
const versionOfFamily = {
  Chromium: /Chrom\w+\/(\d+)/,
  Firefox: /Firefox\/(\d+)/,
  WebKit: /Version\/(\d+)/,
} as const;

/**
 * In what a `User-Agent` contradicts the descriptor of the fingerprint that came with it. Only what is known on both
 * sides can; a text that is no browser's contradicts nothing.
 */
export function contradictions(userAgent: string, descriptor: Descriptor): Contradiction[] {
  const text = userAgent.slice(0, longestUserAgent);
  if (text === '') return [];
  const parser = Bowser.getParser(text, true);
  const family = familyOf(text, parser.getEngineName());
  const found: Contradiction[] = [];
  const familyDiffers = family !== 'unknown' && descriptor.browser !== 'unknown' && family !== descriptor.browser;
  if (familyDiffers) found.push('family');
  if (systemDiffers(systemOfName[parser.getOSName()] ?? 'unknown', descriptor)) found.push('system');
  if (!familyDiffers && versionDiffers(text, descriptor)) found.push('version');
  return found;
}

function familyOf(text: string, engine: string): Descriptor['browser'] | 'other' {
  // Bowser takes Edge on Android and iOS for the EdgeHTML of old, which called itself Chrome in everything we read.
  if (engine === 'EdgeHTML') return /AppleWebKit\/537\.36/.test(text) ? 'Chromium' : 'WebKit';
  return familyOfEngine[engine] ?? 'unknown';
}

function systemDiffers(claimed: Descriptor['os'], { os, browser }: Descriptor): boolean {
  if (claimed === 'unknown' || os === 'unknown' || claimed === os) return false;
  // iPadOS, and iOS when asked for desktop pages, call themselves a Macintosh; touch tells the package better.
  if (claimed === 'macOS' && os === 'iOS') return false;
  // Firefox that resists fingerprinting (Tor, Mullvad, LibreWolf) long sent Windows in the header from every desktop,
  // and named the true system to the page (https://github.com/arkenfox/user.js/issues/1787).
  return !(claimed === 'Windows' && browser === 'Firefox' && (os === 'macOS' || os === 'Linux'));
}

function versionDiffers(text: string, { browser, browserVersion }: Descriptor): boolean {
  if (browser === 'unknown' || browserVersion === 0) return false;
  const claimed = versionOfFamily[browser].exec(text)?.[1];
  return claimed !== undefined && Number(claimed) !== browserVersion;
}
