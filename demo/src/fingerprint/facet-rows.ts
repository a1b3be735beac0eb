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
  /** The duration of its slowest reading. */
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
      // Readings that wait contain the time of others, so the times cannot be added up.
      durationMs: Math.max(...results.map(({ result }) => result.durationMs)),
      drift: expectedDrift[name],
    };
  };
  return facets.filter((facet) => facet.group === group).map(row);
}
