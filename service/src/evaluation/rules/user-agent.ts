import Bowser from 'bowser';
import type { Descriptor } from 'whorl/fingerprint';
import { rememberNewest } from '../../ground/bounded-map-rules.js';

/** Property in which a `User-Agent` contradicts a fingerprint. */
export type Contradiction = 'family' | 'system' | 'version';

/** Longer than any browser's, and short enough to be matched quickly by all patterns. */
const maxUserAgentLength = 1000;

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

/**
 * Patterns for the version that the package reads too. Vendors' own version numbers, such as Opera's, cannot be
 * compared.
 */
const versionOfFamily = {
  Chromium: /Chrom\w+\/(\d+)/,
  Firefox: /Firefox\/(\d+)/,
  WebKit: /Version\/(\d+)/,
} as const;

/**
 * Returns the properties in which a `User-Agent` contradicts the fingerprint's descriptor. Only properties known on both
 * sides are compared, so text that no browser sends contradicts nothing.
 */
export function contradictions(userAgent: string, descriptor: Descriptor): Contradiction[] {
  const text = userAgent.slice(0, maxUserAgentLength);
  if (text === '') return [];
  const { family, system } = readUserAgent(text);
  const found: Contradiction[] = [];
  const familyDiffers = family !== 'unknown' && descriptor.browser !== 'unknown' && family !== descriptor.browser;
  if (familyDiffers) found.push('family');
  if (systemDiffers(system, descriptor)) found.push('system');
  if (!familyDiffers && versionDiffers(text, descriptor)) found.push('version');
  return found;
}

/** Most visitors share a few texts, and reading one takes longer than all other comparisons of a fingerprint. */
const readUserAgent = rememberNewest((text: string) => {
  const parser = Bowser.getParser(text, true);
  const system: Descriptor['os'] = systemOfName[parser.getOSName()] ?? 'unknown';
  return { family: familyOf(text, parser.getEngineName()), system };
}, 1000);

function familyOf(text: string, engine: string): Descriptor['browser'] | 'other' {
  // Bowser mistakes Edge on Android and iOS for the old EdgeHTML, which identified itself as Chrome in everything read
  // here.
  if (engine === 'EdgeHTML') return /AppleWebKit\/537\.36/.test(text) ? 'Chromium' : 'WebKit';
  return familyOfEngine[engine] ?? 'unknown';
}

function systemDiffers(claimed: Descriptor['os'], { os, browser }: Descriptor): boolean {
  if (claimed === 'unknown' || os === 'unknown' || claimed === os) return false;
  // iPadOS, and iOS when requesting desktop sites, identify as Macintosh; the package detects them by touch.
  if (claimed === 'macOS' && os === 'iOS') return false;
  // Firefox with fingerprinting resistance (Tor, Mullvad, LibreWolf) long sent Windows in the header on every desktop,
  // but exposed the real system to the page (https://github.com/arkenfox/user.js/issues/1787).
  return !(claimed === 'Windows' && browser === 'Firefox' && (os === 'macOS' || os === 'Linux'));
}

function versionDiffers(text: string, { browser, browserVersion }: Descriptor): boolean {
  if (browser === 'unknown' || browserVersion === 0) return false;
  const claimed = versionOfFamily[browser].exec(text)?.[1];
  return claimed !== undefined && Number(claimed) !== browserVersion;
}
