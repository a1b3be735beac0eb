import { type FacetName, facetGroups, facets } from './facets.js';
import { encode24, hashText } from './hash.js';

/** The version of the format that this package writes: the head of every fingerprint. */
export const formatVersion = 'w1';

/** Stands for a facet that could not be read, was blocked, timed out or was noise: no evidence, for or against. */
export const unreadable = '~~~~';

/** The digests of all facets by name, each four base64url characters or `~~~~`. */
export type FacetDigests = Readonly<Record<FacetName, string>>;

/** What a fingerprint is built from. */
export interface FingerprintParts {
  /** Four to seven characters: device kind, operating system, browser family, major version. */
  readonly descriptor: string;
  /** The text that stands for a facet's readings, or undefined where the facet is not readable. */
  readonly values: Readonly<Partial<Record<FacetName, string>>>;
  readonly integrity: number;
  /** Mixed into every digest, so that the owners of two sites cannot compare what they hold. */
  readonly scope?: string;
}

/** Builds the fingerprint: `w1.<descriptor>.<hardware>.<software>.<setting>.<integrity>`, under 110 characters. */
export function buildFingerprint({ descriptor, values, integrity, scope = '' }: FingerprintParts): string {
  const groups = facetGroups.map((group) =>
    facets
      .filter((facet) => facet.group === group)
      .map(({ name }) => {
        const value = values[name];
        // The facet's name is part of what is hashed, so that equal values of two facets do not look related.
        return value === undefined ? unreadable : encode24(hashText(`${scope}\n${name}\n${value}`));
      })
      .join(''),
  );
  return [formatVersion, descriptor, ...groups, encode24(integrity)].join('.');
}

/**
 * Whether two fingerprints say the same: equal descriptors, and no facet that is readable in both differs.
 * Integrity takes no part. Works on any two strings of one format version; others agree only when equal.
 */
export function agree(a: string, b: string): boolean {
  const left = a.split('.');
  const right = b.split('.');
  if (left[0] !== formatVersion || left.length !== right.length) return a === b;
  return left.slice(0, -1).every((part, index) => {
    const other = right[index] ?? '';
    if (index < 2) return part === other;
    return part.length === other.length && chunk(part).every((digest, at) => digestsAgree(digest, chunk(other)[at]));
  });
}

/** How many facets of a fingerprint are readable. */
export function countReadable(fingerprint: string): number {
  return fingerprint
    .split('.')
    .slice(2, -1)
    .flatMap(chunk)
    .filter((digest) => digest !== unreadable).length;
}

function chunk(group: string): string[] {
  return group.match(/.{4}/g) ?? [];
}

function digestsAgree(a: string, b: string | undefined): boolean {
  return a === b || a === unreadable || b === unreadable;
}
