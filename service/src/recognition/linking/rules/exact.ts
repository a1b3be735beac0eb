import { compare } from 'whorl/fingerprint';
import { dayMs } from '../../../ground/time.js';
import type { FingerprintText } from '../../../resources/devices/rules/fingerprint-text.js';
import { projectPrior, sharesOf } from './census.js';
import type { WeighingInputs } from './choose.js';

/**
 * Returns the confidence that a known fingerprint comes from the same device rather than from one that looks alike: the
 * combined weight of all its facets, with the known frequencies of their values, against any device of the project. For
 * text in another format it is 1, because nothing else can be compared.
 */
export function exactConfidence(
  { text, parsed }: FingerprintText,
  lastSeenAt: Date,
  { now, census }: WeighingInputs,
): number {
  if (!parsed) return 1;
  const elapsedDays = Math.max(0, (now.getTime() - lastSeenAt.getTime()) / dayMs);
  const prior = projectPrior(census);
  return compare(text, text, { elapsedDays, prior, shares: sharesOf(census, parsed) }).confidence;
}
