import { ownFields } from '../own-fields.js';
import type { DevicesError, ListedDevice } from './device-list.js';

/** The texts of the list in one language. */
export interface DeviceWords {
  readonly language: string;
  readonly title: string;
  readonly loading: string;
  readonly empty: string;
  readonly failed: string;
  /** By the code of the error. The server's own sentences are in English. */
  readonly errors: Readonly<Record<string, string>>;
  readonly retry: string;
  readonly thisDevice: string;
  readonly unknownDevice: string;
  readonly unknownPlace: string;
  readonly lastUsed: string;
  readonly rename: string;
  readonly nameOf: string;
  readonly save: string;
  readonly cancel: string;
  readonly signOut: string;
  readonly notMe: string;
  readonly question: string;
  readonly confirm: string;
  readonly renamed: string;
  readonly signedOut: string;
  readonly disowned: string;
}

const en: DeviceWords = {
  language: 'en',
  title: 'Your devices',
  loading: 'Loading your devices …',
  empty: 'No device is signed in.',
  failed: 'That did not work. Try again in a moment.',
  errors: {},
  retry: 'Try again',
  thisDevice: 'This device',
  unknownDevice: 'Unknown device',
  unknownPlace: 'Unknown place',
  lastUsed: 'Last used',
  rename: 'Rename',
  nameOf: 'Name of the device',
  save: 'Save',
  cancel: 'Cancel',
  signOut: 'Sign out',
  notMe: 'This was not me',
  question:
    'Block this device? It is signed out and cannot return. Your account asks for a code more often until you choose a new password.',
  confirm: 'Block the device',
  renamed: 'The name is saved.',
  signedOut: 'The device is signed out.',
  disowned: 'The device is signed out and blocked. Choose a new password now.',
};

const de: DeviceWords = {
  language: 'de',
  title: 'Ihre Geräte',
  loading: 'Ihre Geräte werden geladen …',
  empty: 'Kein Gerät ist angemeldet.',
  failed: 'Das hat nicht funktioniert. Versuchen Sie es gleich noch einmal.',
  errors: {
    network: 'Der Server hat nicht geantwortet. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
    not_logged_in: 'Melden Sie sich zuerst an.',
    not_found: 'Dieses Gerät ist nicht mehr in Ihrer Liste.',
  },
  retry: 'Erneut versuchen',
  thisDevice: 'Dieses Gerät',
  unknownDevice: 'Unbekanntes Gerät',
  unknownPlace: 'Unbekannter Ort',
  lastUsed: 'Zuletzt benutzt',
  rename: 'Umbenennen',
  nameOf: 'Name des Geräts',
  save: 'Speichern',
  cancel: 'Abbrechen',
  signOut: 'Abmelden',
  notMe: 'Das war ich nicht',
  question:
    'Dieses Gerät sperren? Es wird abgemeldet und kann nicht zurückkehren. Ihr Konto fragt öfter nach einem Code, bis Sie ein neues Passwort wählen.',
  confirm: 'Gerät sperren',
  renamed: 'Der Name ist gespeichert.',
  signedOut: 'Das Gerät ist abgemeldet.',
  disowned: 'Das Gerät ist abgemeldet und gesperrt. Wählen Sie jetzt ein neues Passwort.',
};

/** Returns the texts for a language tag, such as `de-AT`. English if the language is not supported. */
export function wordsIn(tag: string): DeviceWords {
  return /^de\b/i.test(tag) ? de : en;
}

/** Returns the sentence about an error. */
export function errorIn({ language, errors, failed }: DeviceWords, { code = '', detail }: DevicesError): string {
  return language === 'en' ? detail : (ownFields(errors)[code] ?? failed);
}

/** Returns the browser and system of a device, such as `Chromium, Windows`. */
export function descriptionOf({ browser, os }: ListedDevice, { unknownDevice }: DeviceWords): string {
  return [browser, os].filter((part) => part !== 'unknown').join(', ') || unknownDevice;
}

/** Returns the place of a device, such as `Berlin, Germany`. */
export function placeOf({ place: { city, country } }: ListedDevice, { language, unknownPlace }: DeviceWords): string {
  return [city, country && countryIn(language, country)].filter(Boolean).join(', ') || unknownPlace;
}

function countryIn(language: string, country: string): string | undefined {
  try {
    return new Intl.DisplayNames(language, { type: 'region' }).of(country);
  } catch {
    // Not a country code.
    return country;
  }
}

const units = [
  ['year', 365 * 24 * 60 * 60],
  ['month', 30 * 24 * 60 * 60],
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
] as const;

/** Returns when a device was last used, such as `2 days ago`. */
export function agoOf({ lastSeenAt }: ListedDevice, { language }: DeviceWords): string {
  const seconds = Math.max(0, (Date.now() - lastSeenAt.getTime()) / 1000);
  const [unit, length] = units.find(([, length]) => seconds >= length) ?? (['minute', 60] as const);
  const count = Math.floor(seconds / length);
  // Not "yesterday", which may be two days ago in the calendar.
  return new Intl.RelativeTimeFormat(language, { numeric: count > 0 ? 'always' : 'auto' }).format(-count, unit);
}

/** Returns the exact time, in the reader's time zone. */
export function exactTimeOf({ lastSeenAt }: ListedDevice, { language }: DeviceWords): string {
  return lastSeenAt.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short' });
}
