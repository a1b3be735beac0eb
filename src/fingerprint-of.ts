import type { Collection } from './collector/index.js';
import { type FacetName, facetTable, type MemberName } from './fingerprint/facets.js';
import { buildFingerprint } from './fingerprint/format.js';
import { stringify } from './stringify.js';

/** The text of each facet, built from its readings. Contains only facets whose members could all be read. */
export type FacetValues = Readonly<Partial<Record<FacetName, string>>>;

/** Returns the facet values of a collection, in an object that inherits nothing. */
export function facetValues({ readings }: Collection): FacetValues {
  const values: Record<string, string> = Object.create(null);
  for (const group of Object.values(facetTable)) {
    for (const [name, members] of Object.entries<readonly MemberName[]>(group)) {
      const results = members.map((member) => readings[member]);
      const known = results.flatMap((result) => (result.status === 'ok' ? [result.value] : []));
      if (known.length === members.length) values[name] = stringify(known);
    }
  }
  return values;
}

/** Returns the fingerprint of a collection. */
export function fingerprintOf(collection: Collection, scope: string): string {
  return buildFingerprint({ ...collection, values: facetValues(collection), scope });
}
