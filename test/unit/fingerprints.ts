import { type FacetName, facets } from '../../src/fingerprint/facets.js';
import { buildFingerprint, type FingerprintParts } from '../../src/fingerprint/format.js';

type Values = FingerprintParts['values'];

/** A value for every facet. */
export const allValues: Readonly<Record<FacetName, string>> = Object.fromEntries(
  facets.map(({ name }) => [name, `["${name}"]`]),
) as Record<FacetName, string>;

/** The values with those of the named facets changed. */
export function changing(...names: readonly FacetName[]): Values {
  return { ...allValues, ...Object.fromEntries(names.map((name) => [name, '["another"]'])) };
}

/** The values without those of the named facets. */
export function without(...names: readonly FacetName[]): Values {
  return Object.fromEntries(Object.entries(allValues).filter(([name]) => !names.includes(name as FacetName)));
}

/** A fingerprint of these values, on a desktop Linux with Chromium 141. */
export function fingerprint(values: Values = allValues, parts: Partial<FingerprintParts> = {}): string {
  return buildFingerprint({ descriptor: 'dlc141', integrity: 0, values, ...parts });
}

/** The names of the facets of a group. */
export function namesOf(group: (typeof facets)[number]['group']): FacetName[] {
  return facets.filter((facet) => facet.group === group).map(({ name }) => name);
}
