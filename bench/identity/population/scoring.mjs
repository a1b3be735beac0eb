import { weights as committed, compare, facets, lowestShare, priors } from '../../../dist/fingerprint.js';

const hardware = facets.map(({ group }) => group === 'hardware');

const maxDays = 400;

/** The model of `compare` with numbers instead of texts, for millions of pairs in seconds. `check` compares the two. */
export function scorer(weights = committed) {
  const rows = facets.map(({ name }) => weights[name]);
  const days = Array.from({ length: maxDays }, (_, elapsedDays) =>
    rows.map(({ u, m, lasting, halfLifeDays, damping }, at) => {
      const kept = m * (lasting + (1 - lasting) * 2 ** (-elapsedDays / halfLifeDays));
      return {
        kept,
        damping,
        agrees: damping * Math.log2(kept / Math.max(u, lowestShare) + 1 - kept),
        differs: (hardware[at] ? 1 : damping) * Math.log2(1 - kept),
      };
    }),
  );
  /** `shares`: the frequency of each value by facet, or, prepared by `sharesOf`, of the values of `b`. */
  return (a, b, elapsedDays, shares) => {
    const bits = days[elapsedDays];
    let agreement = 0;
    let disagreement = 0;
    let sameHardware = true;
    const frequent = shares && (shares instanceof Float64Array ? shares : sharesOf(b, shares));
    for (let at = 0; at < bits.length; at++) {
      if (a[at] === 0 || b[at] === 0) continue;
      const { kept, damping, agrees, differs } = bits[at];
      if (a[at] !== b[at]) {
        disagreement += differs;
        if (hardware[at]) sameHardware = false;
      } else agreement += frequent ? damping * Math.log2(kept / frequent[at] + 1 - kept) : agrees;
    }
    return sameHardware ? agreement + disagreement : disagreement;
  };
}

/** Returns the frequency of each value, at least the lowest that counts. */
export function sharesOf(values, shares) {
  return Float64Array.from(values, (value, at) => Math.max(shares[at].get(value) ?? 0, lowestShare));
}

const digest = (number) => (number === 0 ? '~~~~' : number.toString(36).padStart(4, '0'));

function textOf(values) {
  const digests = Array.from(values, digest);
  return `w1.dlc100.${[digests.slice(0, 6), digests.slice(6, 15), digests.slice(15)].map((all) => all.join('')).join('.')}.AAAA`;
}

/** Throws if the scorer and `compare` disagree about a pair. */
export function check(score, pairs) {
  for (const { a, b, days } of pairs) {
    const { bits } = compare(textOf(a), textOf(b), { elapsedDays: days });
    if (Math.abs(bits - score(a, b, days)) > 1e-6)
      throw new Error(`compare returns ${bits}, the scorer ${score(a, b, days)}`);
  }
}

export const confidenceOf = (bits, prior) => 1 / (1 + 2 ** -(bits + Math.log2(prior)));
export { priors };
