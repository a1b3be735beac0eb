import type { StoredContribution, StoredRisk } from '../../../ground/vocabulary.js';
import { percentOf, type Risk, round } from './contribution.js';
import { lengthen, shorten } from './sentences.js';

/** Returns a risk in its short form, as JSON. */
export function encodeRisk({ bits, contributions }: Risk): string {
  const short = contributions.map((one): StoredContribution => [one.fact, one.bits, ...shorten(one.text)]);
  return JSON.stringify([bits, ...short] satisfies StoredRisk);
}

/** Returns a stored risk. Older versions stored it as it is. */
export function decodeRisk(text: string): Risk {
  const stored: StoredRisk | Risk = JSON.parse(text);
  if ('score' in stored) return stored;
  const [total, ...contributions] = stored;
  return {
    score: round(percentOf(total)),
    bits: total,
    contributions: contributions.map(([fact, bits, ...sentences]) => ({ fact, bits, text: lengthen(sentences) })),
  };
}
