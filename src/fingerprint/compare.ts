import { WhorlError } from '../errors.js';
import { type FacetGroup, type FacetName, facets } from './facets.js';
import { unreadable } from './format.js';
import { mustParse } from './parse.js';
import { type Weight, weights } from './weights.js';

/**
 * Prior odds that two fingerprints come from one device. `project`: two devices of a project. `user`: two devices of one
 * user. `userWithLast`: the same, if one fingerprint is the saved fingerprint of the other.
 */
export const priors = { project: 1 / 10_000, user: 1, userWithLast: 100 } as const;

/** The lowest frequency in `shares`. Values seen on fewer than 1 in 1,000 devices count as 1 in 1,000. */
export const lowestShare = 0.001;

export interface CompareOptions {
  /** Days between the two readings. Default 0. */
  readonly elapsedDays?: number;
  /** Prior odds, above 0 (not a probability): see `priors`. Default 1, even odds. */
  readonly prior?: number;
  /**
   * How frequent the current value of each facet is among your own devices, from 0 to 1. Used for facets that agree: a
   * rare value is strong evidence for one device, and a common value is weak evidence. Values below `lowestShare` count
   * as `lowestShare`, because a value that nobody else has may be forged. Default: frequencies from the table of
   * weights.
   */
  readonly shares?: Readonly<Partial<Record<FacetName, number>>>;
}

export interface Comparison {
  /** Whether one device is more likely than two. */
  readonly same: boolean;
  /** The probability that both come from one device, from 0 to 1. */
  readonly confidence: number;
  /** The evidence without the prior, in bits. Positive values indicate one device, negative values two. */
  readonly bits: number;
  /** The facets that are readable in both fingerprints and differ, by group. */
  readonly changed: Readonly<Record<FacetGroup, readonly FacetName[]>>;
}

/** Returns the probability that a device still has the same value. */
function keptAfter(elapsedDays: number, { m, lasting, halfLifeDays }: Weight): number {
  return m * (lasting + (1 - lasting) * 2 ** (-elapsedDays / halfLifeDays));
}

/**
 * Compares two fingerprints: whether they come from one device, how probable that is, and which facets changed. Uses
 * the Fellegi–Sunter model of record linkage (A Theory for Record Linkage, 1969). Each facet that is readable in both
 * adds the logarithm of a likelihood ratio: how much more likely its agreement or disagreement is on one device than on
 * two. If hardware facets differ, agreement counts as nothing, because two machines of one owner agree in many facets.
 * Integrity is ignored.
 *
 * @throws {WhorlError} `invalid_fingerprint` if either text is not a fingerprint of the format that this version reads
 *   (the message names both formats), `invalid_options` for an option out of range.
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
    // A changed value is modelled as a random one, which may agree by chance as often as on another device.
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
