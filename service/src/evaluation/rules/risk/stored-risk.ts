import type { StoredContribution, StoredRisk } from '../../../ground/vocabulary.js';
import { percentOf, type Risk, round } from './contribution.js';
import { lengthen, shorten } from './sentences.js';

/** Returns a risk in its short form. */
export function encodeRisk({ bits, contributions }: Risk): StoredRisk {
  return [bits, ...contributions.map((one): StoredContribution => [one.fact, one.bits, ...shorten(one.text)])];
}

/** Returns a stored risk. Older versions stored it as it is. */
export function decodeRisk(stored: StoredRisk | Risk): Risk {
  if ('score' in stored) return stored;
  const [total, ...contributions] = stored;
  return {
    score: round(percentOf(total)),
    bits: total,
    contributions: contributions.map(([fact, bits, ...sentences]) => ({ fact, bits, text: lengthen(sentences) })),
  };
}
