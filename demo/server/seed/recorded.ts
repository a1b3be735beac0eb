/**
 * Facets as real browsers gave them on one machine (Debian, an Intel processor with 2 cores), with what changed in them
 * from version to version and with each setting; docs/identity.md says how such recordings are made. What other machines
 * would give is not recorded: there `digestOf` stands for it.
 */

type Facets = Readonly<Record<string, string>>;

export interface Engine {
  readonly engine: string;
  /** The oldest first, with the facets that this version brought. */
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

/** Of each engine on the recorded machine, as far as no version and no setting changes it. */
export const machine: Readonly<Record<EngineLetter, Facets>> = {
  c: {
    ...{ platform: '18a-', cpu: 'JbbL', memory: 'sEOA', gpu: 'E5ZV', touch: '8QJm' },
    ...{ gl: 'e6mt', raster: 'Lyr8', text: 'frty', audio: 'tI8Q', fonts: '32By', metrics: '1Dn0', maths: 'Tqfa' },
  },
  f: {
    ...{ platform: '18a-', cpu: '-rJ1', memory: '~~~~', gpu: 'VGBf', touch: '8QJm' },
    ...{ gl: 'y-K-', raster: '2w_e', text: '9yQc', audio: 'ORUf', metrics: '1Dn0', media: '~~~~', maths: 'Tqfa' },
  },
  w: {
    ...{ platform: '18a-', cpu: '-rJ1', memory: '~~~~', gpu: '7VPg', touch: '8QJm' },
    ...{ gl: 'Xie1', raster: 'sEjd', text: '40TE', audio: 'tI8Q', fonts: '32By', metrics: '1Dn0', maths: 'Tqfa' },
  },
};

export const settings = {
  screens: ['l1Hk', 'LFaC', 'YCki', 'fjc7'],
  pointers: { mouse: 'SH8m', touch: '8rbK' },
  touch: { none: '8QJm', fingers: '4pLP' },
  locales: ['j3ep', 'X5Zj', 'k06_', 'XCHv'],
  /** At home, and where people travel to. */
  zones: { home: '-dUd', away: 'CuwV', farAway: 'FhjO' },
  preferences: { light: 'KxDw', dark: '3HgC', stillPictures: 'y-Pp' },
  /** A font was installed. */
  moreFonts: 'uIWi',
} as const;

export const integrities = {
  clean: 'AAAA',
  /** Of a browser without a window, driven by a program. */
  driven: 'AAAD',
  /** `two_answers` and `system_contradiction`: readings that were replaced. */
  spoofed: 'AAEg',
} as const;
