/**
 * Facets of real browsers on one machine (Debian, an Intel processor with 2 cores), with the changes between versions
 * and settings. docs/research/identity.md explains how such recordings are made. Values of other machines were not recorded, so
 * `digestOf` replaces them.
 */

type Facets = Readonly<Record<string, string>>;

export interface Engine {
  readonly engine: string;
  /** Oldest first, each with the facets that changed in this version. */
  readonly versions: readonly [Version, ...Version[]];
}

export interface Version {
  readonly name: string;
  readonly facets: Facets;
}

export const engines = {
  c: {
    engine: 'XRBJ',
    versions: [
      { name: '147', facets: { media: 'XL1j', surface: 'aSvG' } },
      { name: '152', facets: { media: 'XL1j', surface: 'Yiuf' } },
      { name: '156', facets: { media: 'XL1j', surface: '9c1S' } },
    ],
  },
  f: {
    engine: 'hQK4',
    versions: [
      { name: '140', facets: { fonts: 'J3vd', surface: 'O9oZ' } },
      { name: '153', facets: { fonts: 'Y8i3', surface: 'O9oZ' } },
    ],
  },
  w: {
    engine: 'pKfr',
    versions: [{ name: '26', facets: { media: 'ejkJ', surface: 'IfmG' } }],
  },
} as const satisfies Record<string, Engine>;

export type EngineLetter = keyof typeof engines;

/** The facets of each engine on the recorded machine that no version or setting changes. */
export const machine: Readonly<Record<EngineLetter, Facets>> = {
  c: {
    platform: '18a-',
    cpu: 'JbbL',
    memory: 'sEOA',
    memoryFrom8: 'OWhY',
    gpu: 'E5ZV',
    touch: '8QJm',
    gl: 'e6mt',
    raster: 'Lyr8',
    text: 'frty',
    audio: 'tI8Q',
    fonts: '32By',
    metrics: '1Dn0',
    maths: 'Tqfa',
  },
  f: {
    platform: '18a-',
    cpu: '-rJ1',
    memory: '~~~~',
    memoryFrom8: '~~~~',
    gpu: 'VGBf',
    touch: '8QJm',
    gl: 'y-K-',
    raster: '2w_e',
    text: '9yQc',
    audio: 'ORUf',
    metrics: '1Dn0',
    media: '~~~~',
    maths: 'Tqfa',
  },
  w: {
    platform: '18a-',
    cpu: '-rJ1',
    memory: '~~~~',
    memoryFrom8: '~~~~',
    gpu: '7VPg',
    touch: '8QJm',
    gl: 'Xie1',
    raster: 'sEjd',
    text: '40TE',
    audio: 'tI8Q',
    fonts: '32By',
    metrics: '1Dn0',
    maths: 'Tqfa',
  },
};

export const settings = {
  screens: ['l1Hk', 'LFaC', 'YCki', 'fjc7'],
  pointers: { mouse: 'SH8m', touch: '8rbK' },
  touch: { none: '8QJm', fingers: '4pLP' },
  locales: ['j3ep', 'X5Zj', 'k06_', 'XCHv'],
  /** The time zones at home and of travel destinations. */
  zones: { home: '-dUd', away: 'CuwV', farAway: 'FhjO' },
  preferences: { light: 'KxDw', dark: '3HgC', stillPictures: 'y-Pp' },
  /** After a font was installed. */
  moreFonts: 'uIWi',
} as const;

export const integrities = {
  clean: 'AAAA',
  /** A headless browser driven by a program. */
  driven: 'AAAD',
  /** `inconsistent_getter` and `system_contradiction`: readings were replaced. */
  spoofed: 'AAEg',
} as const;
