import { compare } from '../../../dist/fingerprint.js';

const digest = (number) => (number === 0 ? '~~~~' : number.toString(36).padStart(4, '0'));

/** Returns a fingerprint as a text with these values. */
export function textOf(values, descriptor = 'dlc100') {
  const digests = Array.from(values, digest);
  return `w1.${descriptor}.${[digests.slice(0, 7), digests.slice(7, 16), digests.slice(16)].map((all) => all.join('')).join('.')}.AAAA`;
}

/** Throws if the scorer and `compare` disagree about a pair. */
export function check(score, pairs) {
  for (const { a, b, days } of pairs) {
    const { bits } = compare(textOf(a), textOf(b), { elapsedDays: days });
    if (Math.abs(bits - score(a, b, days)) > 1e-6)
      throw new Error(`compare returns ${bits}, the scorer ${score(a, b, days)}`);
  }
}
