import type { Collection } from './collector/index.js';
import { type FacetName, facets } from './fingerprint/facets.js';
import { buildFingerprint } from './fingerprint/format.js';
import { toJson } from './to-json.js';

/** The text of each facet, built from its readings. Contains only facets whose members could all be read. */
export type FacetValues = Readonly<Partial<Record<FacetName, string>>>;

/** Returns the facet values of a collection. */
export function facetValues({ readings }: Collection): FacetValues {
  const values: Partial<Record<FacetName, string>> = {};
  for (const { name, members } of facets) {
    const results = members.map((member) => readings[member]);
    const known = results.flatMap((result) => (result.status === 'ok' ? [result.value] : []));
    if (known.length === members.length) values[name] = toJson(known);
  }
  return values;
}

/** Returns the fingerprint of a collection. */
export function fingerprintOf(collection: Collection, scope: string): string {
  return buildFingerprint({ ...collection, values: facetValues(collection), scope });
}
