import { type FacetName, facets } from '../../src/fingerprint/facets.js';
import { buildFingerprint, type FingerprintParts } from '../../src/fingerprint/format.js';

type Values = FingerprintParts['values'];

/** A value for every facet. */
export const allValues: Readonly<Record<FacetName, string>> = Object.fromEntries(
  facets.map(({ name }) => [name, `["${name}"]`]),
) as Record<FacetName, string>;

/** Returns the values with the named facets changed. */
export function changing(...names: readonly FacetName[]): Values {
  return { ...allValues, ...Object.fromEntries(names.map((name) => [name, '["another"]'])) };
}

/** Returns the values without the named facets. */
export function without(...names: readonly FacetName[]): Values {
  return Object.fromEntries(Object.entries(allValues).filter(([name]) => !names.includes(name as FacetName)));
}

/** Returns a fingerprint of these values, of Chromium 141 on desktop Linux. */
export function fingerprint(values: Values = allValues, parts: Partial<FingerprintParts> = {}): string {
  return buildFingerprint({ descriptor: 'dlc141', integrity: 0, values, ...parts });
}

/** Returns the names of the facets of a group. */
export function namesOf(group: (typeof facets)[number]['group']): FacetName[] {
  return facets.filter((facet) => facet.group === group).map(({ name }) => name);
}
