import { type FacetName, facets, type ParsedFingerprint, parse, priors, unreadable } from 'whorl/fingerprint';

/** Frequencies of facet values in a sample of a world's fingerprints, and the world's number of devices. */
export interface Census {
  readonly devices: number;
  /** Number of times each value was seen, by facet. */
  readonly seen: ReadonlyMap<FacetName, ReadonlyMap<string, number>>;
  /** Number of fingerprints in which the facet was readable. */
  readonly readable: ReadonlyMap<FacetName, number>;
}

/** With fewer fingerprints, frequencies are not significant. */
const minReadable = 200;

export const emptyCensus: Census = { devices: 0, seen: new Map(), readable: new Map() };

/** Counts a sample of fingerprints. Fingerprints in another format are ignored. */
export function countSample(sample: readonly string[], devices: number): Census {
  const seen = new Map(facets.map(({ name }) => [name, new Map<string, number>()]));
  const readable = new Map<FacetName, number>();
  for (const text of sample) {
    const parsed = parse(text);
    if (!parsed) continue;
    for (const [name, values] of seen) {
      const value = parsed.facets[name];
      if (value === unreadable) continue;
      values.set(value, (values.get(value) ?? 0) + 1);
      readable.set(name, (readable.get(name) ?? 0) + 1);
    }
  }
  return { devices, seen, readable };
}

/**
 * Returns the frequency of each facet value of a fingerprint, as expected by `compare`, without facets that have too
 * few counts. Adds one to each count, because this fingerprint may be the first of many.
 */
export function sharesOf({ seen, readable }: Census, { facets: digests }: ParsedFingerprint): Shares {
  const shares: Partial<Record<FacetName, number>> = {};
  for (const { name } of facets) {
    const counted = readable.get(name) ?? 0;
    if (counted < minReadable) continue;
    shares[name] = ((seen.get(name)?.get(digests[name]) ?? 0) + 1) / (counted + 1);
  }
  return shares;
}

export type Shares = Readonly<Partial<Record<FacetName, number>>>;

/** Returns the prior probability that two devices of the project are the same: the more devices, the lower. */
export function projectPrior({ devices }: Census): number {
  return Math.min(priors.project, 1 / Math.max(1, devices));
}
