import type { DeviceInfo } from 'whorl/wire';

/** Where an attempt came from, as far as it is known. */
export interface Place {
  readonly city?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
}

/** Returns a device in words, such as `Chromium, Windows`; undefined if it is not known. */
export function deviceName({ os, browser }: Pick<DeviceInfo, 'os' | 'browser'>): string | undefined {
  const known = [browser, os].filter((name) => name !== 'unknown');
  return known.length > 0 ? known.join(', ') : undefined;
}

/** Returns a place in words, such as `Berlin, Germany`; undefined if it is not known. */
export function placeIn(language: string, { city, country }: Place): string | undefined {
  const name = country === undefined ? undefined : countryIn(language, country);
  return [city, name].filter((part) => part !== undefined).join(', ') || undefined;
}

function countryIn(language: string, country: string): string | undefined {
  // Intl throws for anything else.
  if (!/^[A-Z]{2}$/.test(country)) return undefined;
  return new Intl.DisplayNames(language, { type: 'region' }).of(country);
}

/** Returns a time in UTC, because the reader's time zone is not known. */
export function utcTime(at: Date): string {
  return `${at.toISOString().slice(11, 16)} UTC`;
}
