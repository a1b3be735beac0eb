import {
  type Descriptor,
  type FacetGroup,
  type FacetName,
  facets,
  type IntegrityBit,
  parse,
  readIntegrity,
  unreadable,
} from 'whorl/fingerprint';

/** Differences between an older and a newer fingerprint of one device. */
export interface VariantChange {
  /** Facets that are readable in both, with different values. */
  readonly changed: readonly { readonly name: FacetName; readonly group: FacetGroup }[];
  /** Facets that are no longer readable. */
  readonly lost: readonly FacetName[];
  /** Facets that have become readable. */
  readonly found: readonly FacetName[];
  /** Old and new device type, operating system, or browser with its version. */
  readonly descriptor: readonly { readonly from: string; readonly to: string }[];
  /** Signs of automation or tampering that are new in the newer fingerprint. */
  readonly integrity: readonly IntegrityBit[];
}

/** Compares two fingerprints facet by facet. Returns undefined if either is not in Whorl's format. */
export function changeBetween(older: string, newer: string): VariantChange | undefined {
  const before = parse(older);
  const after = parse(newer);
  if (!before || !after) return undefined;
  const isReadable = (digests: typeof before.facets, name: FacetName) => digests[name] !== unreadable;
  const inBoth = facets.filter(({ name }) => isReadable(before.facets, name) && isReadable(after.facets, name));
  const known = readIntegrity(before.integrity);
  return {
    changed: inBoth
      .filter(({ name }) => before.facets[name] !== after.facets[name])
      .map(({ name, group }) => ({ name, group })),
    lost: namesOf((name) => isReadable(before.facets, name) && !isReadable(after.facets, name)),
    found: namesOf((name) => !isReadable(before.facets, name) && isReadable(after.facets, name)),
    descriptor: descriptorChanges(before.descriptor, after.descriptor),
    integrity: readIntegrity(after.integrity).filter((bit) => !known.includes(bit)),
  };
}

function namesOf(matches: (name: FacetName) => boolean): FacetName[] {
  return facets.map(({ name }) => name).filter(matches);
}

function descriptorChanges(before: Descriptor, after: Descriptor): VariantChange['descriptor'] {
  const wordsOf = ({ kind, os, browser, browserVersion }: Descriptor) => [kind, os, `${browser} ${browserVersion}`];
  const to = wordsOf(after);
  return wordsOf(before).flatMap((from, index) => (from === to[index] ? [] : [{ from, to: to[index] ?? '' }]));
}

/** Fingerprint of a device. */
export interface VariantInTime {
  readonly fingerprint: string;
  readonly firstSeenAt: Date;
}

/** Returns fingerprints sorted by when they were first seen, newest first, each with its changes since the previous one. */
export function withChanges<Variant extends VariantInTime>(
  variants: readonly Variant[],
): (Variant & { readonly change: VariantChange | undefined })[] {
  const sorted = [...variants].sort((a, b) => b.firstSeenAt.getTime() - a.firstSeenAt.getTime());
  return sorted.map((variant, index) => {
    const older = sorted[index + 1];
    return { ...variant, change: older && changeBetween(older.fingerprint, variant.fingerprint) };
  });
}
