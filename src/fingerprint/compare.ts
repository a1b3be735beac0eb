import { WhorlError } from '../errors.js';
import { type FacetGroup, type FacetName, facets } from './facets.js';
import { unreadable } from './format.js';
import { mustParse } from './parse.js';
import { type Weight, weights } from './weights.js';

/**
 * Odds, before looking, that two fingerprints come from one device: among all devices of a project, among those of one
 * user, and among those of one user when the saved fingerprint of the one is the other.
 */
export const priors = { project: 1 / 10_000, user: 1, userWithLast: 100 } as const;

/** The lowest frequency that `shares` can say: what was seen in fewer than 1 of 1,000 devices counts as 1 of 1,000. */
export const lowestShare = 0.001;

export interface CompareOptions {
  /** Days between the two readings. Default 0. */
  readonly elapsedDays?: number;
  /** Odds before looking, above 0 (not a probability): see `priors`. Default 1, even odds. */
  readonly prior?: number;
  /**
   * How frequent the value at hand is among your own devices, 0 to 1, by facet; used where both sides agree on it. A
   * rare value is strong evidence for one device, a common one weak. What is below `lowestShare` counts as
   * `lowestShare`: a value that nobody else has may also be one that somebody made up. Default: the table's own.
   */
  readonly shares?: Readonly<Partial<Record<FacetName, number>>>;
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

/** The chance that one device still has the value it had. */
function keptAfter(elapsedDays: number, { m, lasting, halfLifeDays }: Weight): number {
  return m * (lasting + (1 - lasting) * 2 ** (-elapsedDays / halfLifeDays));
}

/**
 * Says whether two fingerprints come from one device, how sure that is, and which facets changed, by the Fellegi–Sunter
 * model of record linkage (A Theory for Record Linkage, 1969): each facet readable on both sides adds the logarithm of
 * how much likelier its agreement or disagreement is on one device than on two. Where hardware differs, what agrees
 * counts for nothing: two machines of one owner agree in much. Integrity takes no part.
 *
 * @throws {WhorlError} `invalid_fingerprint` where either text is not a fingerprint, `invalid_options` for an option
 *   out of its range.
 */
export function compare(
  a: string,
  b: string,
  { elapsedDays = 0, prior = 1, shares = {} }: CompareOptions = {},
): Comparison {
  if (!(elapsedDays >= 0 && elapsedDays < Infinity))
    throw new WhorlError('invalid_options', 'elapsedDays must be a number of 0 or more.');
  if (!(prior > 0 && prior < Infinity)) throw new WhorlError('invalid_options', 'prior must be odds above 0.');
  const left = mustParse(a).facets;
  const right = a === b ? left : mustParse(b).facets;
  const changed: Record<FacetGroup, FacetName[]> = { hardware: [], software: [], setting: [] };
  let agreement = 0;
  let disagreement = 0;
  for (const { name, group } of facets) {
    if (left[name] === unreadable || right[name] === unreadable) continue;
    const weight = weights[name];
    const share = shares[name] ?? weight.u;
    if (!(share >= 0 && share <= 1)) throw new WhorlError('invalid_options', 'shares must be numbers from 0 to 1.');
    const kept = keptAfter(elapsedDays, weight);
    // What changed is taken to be drawn anew: it may agree by accident, as often as on another device.
    if (left[name] === right[name])
      agreement += weight.damping * Math.log2(kept / Math.max(share, lowestShare) + 1 - kept);
    else {
      disagreement += (group === 'hardware' ? 1 : weight.damping) * Math.log2(1 - kept);
      changed[group].push(name);
    }
  }
  const bits = changed.hardware.length ? disagreement : agreement + disagreement;
  const confidence = 1 / (1 + 2 ** -(bits + Math.log2(prior)));
  return { same: confidence >= 0.5, confidence, bits, changed };
}
