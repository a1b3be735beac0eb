import type { Components, MemberName, ReadingResult } from 'whorl';
import { expectedDrift, type Facet, type FacetGroup, type FacetName, facets, parse } from 'whorl/fingerprint';
import { facetNotes } from './notes.js';

/** One reading of a facet. */
export interface MemberRow {
  readonly name: MemberName;
  readonly result: ReadingResult;
}

/** One row of the table. */
export interface FacetRow {
  readonly name: FacetName;
  readonly description: string;
  readonly digest: string;
  readonly members: readonly MemberRow[];
  readonly durationMs: number;
  readonly drift: string;
}

/** Returns the rows of one group. */
export function facetRows(group: FacetGroup, fingerprint: string, { readings }: Components): FacetRow[] {
  const digests = parse(fingerprint)?.facets;
  const row = ({ name, members }: Facet): FacetRow => {
    const results = members.map((member) => ({ name: member, result: readings[member] }));
    return {
      name,
      description: facetNotes[name],
      digest: digests?.[name] ?? '',
      members: results,
      durationMs: results.reduce((sum, { result }) => sum + result.durationMs, 0),
      drift: expectedDrift[name],
    };
  };
  return facets.filter((facet) => facet.group === group).map(row);
}
