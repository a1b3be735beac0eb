import type { DeviceInfo } from 'whorl/wire';
import { oneLine } from '../one-line.js';
import type { Attempt, Place } from '../rules/attempt.js';

/** The facts about an attempt, in the order in which they are told. */
export const attemptFacts = ['device', 'place', 'network', 'time'] as const;

/** An attempt in words. */
export interface AttemptWords {
  readonly device: string | undefined;
  readonly place: string | undefined;
  readonly network: string | undefined;
  readonly time: string;
}

/** Returns an attempt in words. Names from databases of addresses are put on one line and truncated. */
export function attemptWords(language: string, { device, organisation, at, ...place }: Attempt): AttemptWords {
  const where = placeIn(language, place);
  return {
    device: deviceName(device),
    place: where && oneLine(where, 60),
    network: organisation && oneLine(organisation, 60),
    time: utcTime(at),
  };
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
