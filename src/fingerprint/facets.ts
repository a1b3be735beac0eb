/**
 * The facet table: the facets of a fingerprint, their groups and order, and the readings in each facet. The order of
 * groups, facets and members defines the format. Any change needs a new `formatVersion` (test/unit/format.test.ts
 * checks this). docs/facets.md is generated from this file.
 */
export const facetTable = {
  hardware: {
    engine: ['engine'],
    platform: ['operatingSystem', 'architecture'],
    cpu: ['cores'],
    memory: ['memory'],
    gpu: ['gpu'],
    touch: ['touchPoints'],
    memoryFrom8: ['memoryFrom8'],
  },
  software: {
    gl: ['glParameters', 'glExtensions'],
    raster: ['raster'],
    text: ['text'],
    audio: ['audio'],
    fonts: ['fonts', 'scripts'],
    metrics: ['metrics'],
    media: ['codecs'],
    maths: ['maths'],
    surface: ['surface'],
  },
  setting: {
    screen: ['screen'],
    input: ['pointers'],
    locale: ['locale'],
    timezone: ['timezone'],
    preferences: ['preferences'],
  },
} as const;

type Table = typeof facetTable;

/** The cause that changes the facets of a group: another machine, an update, or the user's situation and choices. */
export type FacetGroup = keyof Table;

/** The name of a facet. */
export type FacetName = { [Group in FacetGroup]: keyof Table[Group] }[FacetGroup];

/** The name of a reading that belongs to a facet. */
export type MemberName = {
  [Group in FacetGroup]: Table[Group] extends Record<string, readonly (infer Member)[]> ? Member : never;
}[FacetGroup];

/** The groups, in the order of the fingerprint. */
export const facetGroups = ['hardware', 'software', 'setting'] as const satisfies readonly FacetGroup[];

/** One row of the table. */
export interface Facet {
  readonly name: FacetName;
  readonly group: FacetGroup;
  readonly members: readonly MemberName[];
}

/** The rows of the table, in the order of the fingerprint. */
export const facets: readonly Facet[] = /* @__PURE__ */ facetGroups.flatMap((group) =>
  Object.entries<readonly MemberName[]>(facetTable[group]).map(
    // Object.entries widens the keys of the table to string.
    ([name, members]) => ({ name: name as FacetName, group, members }),
  ),
);

/** When each facet is expected to change on one device, for documentation. Not part of the page bundle. */
export const expectedDrift: Readonly<Record<FacetName, string>> = {
  engine: 'never on one browser',
  platform: 'never on one system',
  cpu: 'other processor; virtual machine resized',
  memory: 'memory added; unreadable on plain http, in Firefox and WebKit',
  gpu: 'GPU switched, hardware acceleration turned off, remote desktop',
  touch: 'touch screen plugged in',
  memoryFrom8: 'memory added; unreadable below 8 GiB, and where 8 may mean more',
  gl: 'graphics driver update; browser update, rarely',
  raster: 'rasteriser update',
  text: 'default font or emoji font installed or updated; rasteriser update',
  audio: 'browser update, rarely',
  fonts: 'font installed or removed',
  metrics: 'default font changed or updated',
  media: 'browser or system update; codec installed; unreadable in Firefox',
  maths: 'browser update, rarely',
  surface: 'nearly every browser update',
  screen: 'window moved to another monitor',
  input: 'mouse or touch screen plugged in or out',
  locale: "user's language or region changed",
  timezone: 'travel',
  preferences: 'user chose dark mode, high contrast, reduced motion or forced colours',
};
