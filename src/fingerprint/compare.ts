import { WhorlError } from '../errors.js';
import { type FacetGroup, type FacetName, facets } from './facets.js';
import { unreadable } from './format.js';
import { mustParse } from './parse.js';
import { weights } from './weights.js';

/**
 * Odds, before looking, that two fingerprints come from one device: among all devices of a project, among those of one
 * user, and among those of one user when the saved fingerprint of the one is the other.
 */
export const priors = { project: 1 / 10_000, user: 1, userWithLast: 100 } as const;

export interface CompareOptions {
  /** Days between the two readings. Default 0. */
  readonly elapsedDays?: number;
  /** Odds before looking, above 0 (not a probability): see `priors`. Default 1, even odds. */
  readonly prior?: number;
}

export interface Comparison {
  /** Whether both are more likely one device than two. */
  readonly same: boolean;
  /** The probability that both are one device, 0 to 1. */
  readonly confidence: number;
  /** The evidence without the prior, in bits: above 0 for one device, below for two. */
  readonly bits: number;
  /** The facets that are readable on both sides and differ, by what makes them change. */
  readonly changed: Readonly<Record<FacetGroup, readonly FacetName[]>>;
}

function evidenceBits(name: FacetName, agrees: boolean, elapsedDays: number): number {
  const { u, m, halfLifeDays, share } = weights[name];
  // A facet that changed long ago may agree again by accident, so the chance of agreement never falls below u.
  const kept = Math.max(u, m * 2 ** (-elapsedDays / halfLifeDays));
  return share * Math.log2(agrees ? kept / u : (1 - kept) / (1 - u));
}

/**
 * Says whether two fingerprints come from one device, how sure that is, and which facets changed, by the Fellegi–Sunter
 * model of record linkage (A Theory for Record Linkage, 1969): each facet readable on both sides adds the logarithm of
 * how much likelier its agreement or disagreement is on one device than on two. Integrity takes no part.
 *
 * @throws {WhorlError} `invalid_fingerprint` where either text is not a fingerprint, `invalid_options` for an option
 *   out of its range.
 */
export function compare(a: string, b: string, { elapsedDays = 0, prior = 1 }: CompareOptions = {}): Comparison {
  if (!(elapsedDays >= 0 && elapsedDays < Infinity))
    throw new WhorlError('invalid_options', 'elapsedDays must be a number of 0 or more.');
  if (!(prior > 0 && prior < Infinity)) throw new WhorlError('invalid_options', 'prior must be odds above 0.');
  const left = mustParse(a).facets;
  const right = mustParse(b).facets;
  const changed: Record<FacetGroup, FacetName[]> = { hardware: [], software: [], setting: [] };
  let bits = 0;
  for (const { name, group } of facets) {
    if (left[name] === unreadable || right[name] === unreadable) continue;
    const agrees = left[name] === right[name];
    bits += evidenceBits(name, agrees, elapsedDays);
    if (!agrees) changed[group].push(name);
  }
  const confidence = 1 / (1 + 2 ** -(bits + Math.log2(prior)));
  return { same: confidence >= 0.5, confidence, bits, changed };
}
