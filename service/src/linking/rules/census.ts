import { type FacetName, facets, type ParsedFingerprint, parse, priors, unreadable } from 'whorl/fingerprint';

/** How frequent facet values are among the fingerprints of a project's world, and how many devices it has. */
export interface Census {
  readonly devices: number;
  /** How often each value was seen, by facet. */
  readonly seen: ReadonlyMap<FacetName, ReadonlyMap<string, number>>;
  /** How many fingerprints had the facet readable. */
  readonly readable: ReadonlyMap<FacetName, number>;
}

/** In fewer fingerprints, frequencies are accidents. */
const fewestReadable = 200;

export const emptyCensus: Census = { devices: 0, seen: new Map(), readable: new Map() };

/** Counts a sample of fingerprints. Texts that are not ours say nothing. */
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
 * How frequent each facet value of a fingerprint is, as `compare` takes it; without those facets of which too few were
 * counted. One more than was seen, as the fingerprint at hand may be the first of many.
 */
export function sharesOf({ seen, readable }: Census, { facets: digests }: ParsedFingerprint): Shares {
  const shares: Partial<Record<FacetName, number>> = {};
  for (const { name } of facets) {
    const counted = readable.get(name) ?? 0;
    if (counted < fewestReadable) continue;
    shares[name] = ((seen.get(name)?.get(digests[name]) ?? 0) + 1) / (counted + 1);
  }
  return shares;
}

export type Shares = Readonly<Partial<Record<FacetName, number>>>;

/** The odds that any two devices of the project are one: the more it has, the lower. */
export function projectPrior({ devices }: Census): number {
  return Math.min(priors.project, 1 / Math.max(1, devices));
}
