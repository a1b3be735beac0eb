import { compare } from 'whorl/fingerprint';
import { dayMs } from '../../time.js';
import { projectPrior, sharesOf } from './census.js';
import type { Scales } from './choose.js';
import type { FingerprintText } from './fingerprint-text.js';

/**
 * How sure it is that a fingerprint seen before is from the same device, and not from another that looks alike: what
 * all its facets weigh together, with the frequency of their values where that is known, against any device of the
 * project. Of a text that is not ours nothing is known but that it is the same: 1.
 */
export function exactConfidence({ text, parsed }: FingerprintText, lastSeenAt: Date, { now, census }: Scales): number {
  if (!parsed) return 1;
  const elapsedDays = Math.max(0, (now.getTime() - lastSeenAt.getTime()) / dayMs);
  const prior = projectPrior(census);
  return compare(text, text, { elapsedDays, prior, shares: sharesOf(census, parsed) }).confidence;
}
