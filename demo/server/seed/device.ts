import { createHash } from 'node:crypto';
import { type FacetName, facetGroups, facets, formatVersion, unreadable } from 'whorl/fingerprint';
import type { Random } from './random.js';
import { type EngineLetter, engines, integrities, machine, settings } from './recorded.js';

/** A kind of device, with the number of its models. */
interface Make {
  /** The device kind, system and browser family, as in a fingerprint's descriptor. */
  readonly letters: `${'d' | 'm' | 't'}${'w' | 'm' | 'l' | 'a' | 'i'}${EngineLetter}`;
  readonly models: number;
}

const makes = {
  windowsChrome: { letters: 'dwc', models: 40 },
  windowsFirefox: { letters: 'dwf', models: 20 },
  macChrome: { letters: 'dmc', models: 8 },
  macSafari: { letters: 'dmw', models: 8 },
  linuxChrome: { letters: 'dlc', models: 6 },
  androidChrome: { letters: 'mac', models: 150 },
  iPhone: { letters: 'miw', models: 30 },
  iPad: { letters: 'tiw', models: 4 },
} as const satisfies Record<string, Make>;

export type MakeName = keyof typeof makes;

/** The makes of computers, phones and tablets, weighted by how common they are. */
export const computers = [
  ['windowsChrome', 50],
  ['macChrome', 12],
  ['macSafari', 16],
  ['windowsFirefox', 12],
  ['linuxChrome', 4],
] as const satisfies readonly (readonly [MakeName, number])[];
export const phones = [
  ['androidChrome', 55],
  ['iPhone', 45],
] as const satisfies readonly (readonly [MakeName, number])[];

/** A browser on a device. It has a fingerprint, which changes over time as real ones do. */
export class Device {
  readonly #letters: Make['letters'];
  readonly #engine: EngineLetter;
  readonly #facets: Record<string, string>;
  #version: number;
  #last = '';

  constructor(random: Random, name: MakeName) {
    const { letters, models } = makes[name];
    this.#letters = letters;
    this.#engine = engineOf(letters);
    // Most browsers are up to date. The others are one version behind.
    const newest = engines[this.#engine].versions.length - 1;
    this.#version = Math.max(0, newest - (random.chance(0.85) ? 1 : 2));
    const model = Math.floor(random.next() * models);
    this.#facets = {
      engine: engines[this.#engine].engine,
      ...machine[this.#engine],
      ...(name === 'linuxChrome' && model === 0 ? {} : facetsOfModel(name, model)),
      ...facetsOfOwner(random, letters),
    };
  }

  get fingerprint(): string {
    return this.#print(integrities.clean);
  }

  /** The saved fingerprint: the one at the last evaluation. */
  get lastFingerprint(): string {
    return this.#last;
  }

  /** Saves the current fingerprint after an evaluation. */
  acknowledge(): void {
    this.#last = this.fingerprint;
  }

  /** Returns the same fingerprint with bits of the integrity facet set. */
  withIntegrity(integrity: keyof typeof integrities): string {
    return this.#print(integrities[integrity]);
  }

  /** Updates the browser to its newest version. */
  upgrade(): void {
    this.#version = engines[this.#engine].versions.length - 1;
    // Safari's versions were not recorded. As in other browsers, an update changes the APIs.
    if (this.#engine === 'w') this.#facets.surface = digestOf('surface', 'Safari, the next version');
  }

  travelTo(zone: keyof typeof settings.zones): void {
    this.#facets.timezone = settings.zones[zone];
  }

  connectMonitor(): void {
    this.#facets.screen = settings.screens[1];
  }

  enableDarkMode(): void {
    this.#facets.preferences = settings.preferences.dark;
  }

  installFont(): void {
    this.#facets.fonts = settings.moreFonts;
  }

  #print(integrity: string): string {
    const { name, facets: ofVersion } = engines[this.#engine].versions[this.#version] ?? engines.c.versions[0];
    const all: Readonly<Record<string, string>> = { ...ofVersion, ...this.#facets };
    const groups = facetGroups.map((group) =>
      facets
        .filter((facet) => facet.group === group)
        .map((facet) => all[facet.name] ?? digestOf(facet.name, ''))
        .join(''),
    );
    return [formatVersion, this.#letters + name, ...groups, integrity].join('.');
  }
}

function engineOf(letters: string): EngineLetter {
  const letter = letters.at(-1);
  return letter === 'f' || letter === 'w' ? letter : 'c';
}

/** Returns the facets that are specific to one model. */
function facetsOfModel(name: MakeName, model: number): Record<string, string> {
  const { letters } = makes[name];
  const of = (facet: FacetName, value: string | number) => ({ [facet]: digestOf(facet, `${letters} ${value}`) });
  const isApple = letters[1] === 'i' || letters[1] === 'm';
  return {
    ...of('platform', 'system'),
    ...of('cpu', model % 4),
    ...(engineOf(letters) === 'c' && of('memory', model % 3)),
    // Phones report 8 for all of it.
    ...(engineOf(letters) === 'c' && letters[0] === 'd' ? of('memoryFrom8', model % 3) : { memoryFrom8: unreadable }),
    ...of('gpu', isApple ? model % 4 : model % 17),
    touch: letters[0] === 'd' ? settings.touch.none : settings.touch.fingers,
    ...of('gl', isApple ? model % 4 : model % 17),
    ...of('raster', model % 5),
    ...of('text', isApple ? 'system' : model % 7),
    ...of('audio', letters),
    ...of('fonts', letters[0] === 'd' ? model % 11 : 'system'),
    ...of('metrics', model % 3),
    ...of('maths', 'system'),
    ...of('screen', model),
  };
}

/** Returns the facets that depend on the owner's choices. */
function facetsOfOwner(random: Random, letters: Make['letters']): Record<string, string> {
  const isComputer = letters[0] === 'd';
  const { dark, light, stillPictures } = settings.preferences;
  return {
    ...(isComputer && { screen: random.pick(settings.screens) }),
    input: isComputer ? settings.pointers.mouse : settings.pointers.touch,
    locale: random.chance(0.5)
      ? random.pick(settings.locales)
      : digestOf('locale', String(Math.floor(random.next() * 12))),
    timezone: settings.zones.home,
    preferences: random.weighted([
      [light, 60],
      [dark, 36],
      [stillPictures, 4],
    ]),
    // Few computers have exactly the fonts that were preinstalled.
    ...(isComputer && random.chance(0.6) && { fonts: digestOf('fonts', String(random.next())) }),
  };
}

/**
 * Returns a placeholder for a value that was not recorded: 24 bits that depend only on the value, like the package's
 * digests.
 */
function digestOf(facet: string, value: string): string {
  return createHash('sha256').update(`${facet} ${value}`).digest('base64url').slice(0, 4);
}
