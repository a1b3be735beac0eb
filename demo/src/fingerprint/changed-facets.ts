import { compare, type FacetName, facetGroups, parse } from 'whorl/fingerprint';

/**
 * Returns the facets that are readable in both and differ, or undefined if the other text is not a fingerprint of this
 * format.
 */
export function changedFacets(current: string, other: string): FacetName[] | undefined {
  if (!parse(other)) return undefined;
  const { changed } = compare(current, other);
  return facetGroups.flatMap((group) => changed[group]);
}
