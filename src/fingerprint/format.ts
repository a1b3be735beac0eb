import { type FacetName, facetTable } from './facets.js';
import { encode24, hashText } from './hash.js';

/** The version of the format that this package writes. Every fingerprint begins with it. */
export const formatVersion = 'w1';

/**
 * The value of a facet that could not be read, was blocked, timed out or was noise. It is no evidence for or against.
 */
export const unreadable = '~~~~';

/** The digests of all facets by name. Each is four base64url characters or `~~~~`. */
export type FacetDigests = Readonly<Record<FacetName, string>>;

/** The parts of a fingerprint. */
export interface FingerprintParts {
  /** Four to seven characters: device kind, operating system, browser family, major version. */
  readonly descriptor: string;
  /** The text of each facet's readings. Unreadable facets are undefined. */
  readonly values: Readonly<Partial<Record<string, string>>>;
  readonly integrity: number;
  /** Mixed into every digest, so that the owners of two sites cannot compare their fingerprints. */
  readonly scope?: string;
}

/** Builds the fingerprint: `w1.<descriptor>.<hardware>.<software>.<setting>.<integrity>`, under 110 characters. */
export function buildFingerprint({ descriptor, values, integrity, scope = '' }: FingerprintParts): string {
  const groups = Object.values(facetTable).map((group) =>
    Object.keys(group)
      .map((name) => {
        const value = values[name];
        // The hash includes the facet's name, so that equal values of two facets have different digests.
        return value === undefined ? unreadable : encode24(hashText(`${scope}\n${name}\n${value}`));
      })
      .join(''),
  );
  return [formatVersion, descriptor, ...groups, encode24(integrity)].join('.');
}

/**
 * Returns whether two fingerprints agree: their descriptors are equal, and no facet that is readable in both differs.
 * Ignores integrity. Both must have the same format version; other strings agree only if they are equal.
 */
export function agree(a: string, b: string): boolean {
  if (!a.startsWith(`${formatVersion}.`) || a.length !== b.length) return a === b;
  // Only unreadable facets contain the character, and each facet has its place.
  return [...a.slice(0, -4)].every((letter, index) => letter === b[index] || letter === '~' || b[index] === '~');
}

/** Returns how many facets of a fingerprint are unreadable. */
export function countUnreadable(fingerprint: string): number {
  return fingerprint.split(unreadable).length - 1;
}
