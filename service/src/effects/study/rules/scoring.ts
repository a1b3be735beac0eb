import { facets, lowestShare, parse, unreadable, type Weight, weights } from 'whorl/fingerprint';

/** The facets of a fingerprint as numbers, in the order of the table. 0: not readable. */
export type Values = Int32Array;

/** The frequency of each value of each facet, in the order of the table. */
export type Frequencies = readonly ReadonlyMap<number, number>[];

/** Two fingerprints and the days between them. */
export interface Pair {
  readonly a: Values;
  readonly b: Values;
  readonly days: number;
}

export type Weights = Readonly<Record<(typeof facets)[number]['name'], Weight>>;

const isHardware = facets.map(({ group }) => group === 'hardware');

/** Number of hardware facets, which come first. */
export const hardwareEnd = isHardware.filter(Boolean).length;

/** Returns the facets of a fingerprint as numbers. Undefined if the text is not a fingerprint. */
export function readValues(fingerprint: string): Values | undefined {
  const parsed = parse(fingerprint);
  if (!parsed) return undefined;
  return Int32Array.from(facets, ({ name }) => {
    const digest = parsed.facets[name];
    return digest === unreadable ? 0 : 1 + Buffer.from(digest, 'base64url').readUIntBE(0, 3);
  });
}

export function isSameHardware({ a, b }: Pair): boolean {
  for (let at = 0; at < hardwareEnd; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** Returns the probability that a device still has the same value. */
export function keptAfter(elapsedDays: number, { m, lasting, halfLifeDays }: Omit<Weight, 'u' | 'damping'>): number {
  return m * (lasting + (1 - lasting) * 2 ** (-elapsedDays / halfLifeDays));
}

/** Returns the evidence of a pair in bits. `shares`: frequencies of all values, or of those of `b` (`sharesOf`). */
export type Score = (a: Values, b: Values, elapsedDays: number, shares?: Frequencies | Float64Array) => number;

/** The model of `compare` with numbers instead of texts, for millions of pairs in seconds. */
export function scorer(table: Weights = weights): Score {
  const rows = facets.map(({ name }) => table[name]);
  const bitsAfter = (elapsedDays: number) =>
    rows.map((row, at) => {
      const kept = keptAfter(elapsedDays, row);
      return {
        kept,
        damping: row.damping,
        agrees: row.damping * Math.log2(kept / Math.max(row.u, lowestShare) + 1 - kept),
        differs: (isHardware[at] ? 1 : row.damping) * Math.log2(1 - kept),
      };
    });
  const byDay: ReturnType<typeof bitsAfter>[] = [];
  return (a, b, elapsedDays, shares) => {
    byDay[elapsedDays] ??= bitsAfter(elapsedDays);
    const bits = byDay[elapsedDays];
    const frequent = shares && (shares instanceof Float64Array ? shares : sharesOf(b, shares));
    let agreement = 0;
    let disagreement = 0;
    let hasSameHardware = true;
    for (let at = 0; at < bits.length; at++) {
      const row = bits[at];
      if (!row || a[at] === 0 || b[at] === 0) continue;
      if (a[at] !== b[at]) {
        disagreement += row.differs;
        if (isHardware[at]) hasSameHardware = false;
      } else if (frequent) agreement += row.damping * Math.log2(row.kept / (frequent[at] ?? 1) + 1 - row.kept);
      else agreement += row.agrees;
    }
    return hasSameHardware ? agreement + disagreement : disagreement;
  };
}

/** Returns the frequency of each value, at least the lowest that counts. */
export function sharesOf(values: Values, shares: Frequencies): Float64Array {
  return Float64Array.from(values, (value, at) => Math.max(shares[at]?.get(value) ?? 0, lowestShare));
}

export function confidenceOf(bits: number, prior: number): number {
  return 1 / (1 + 2 ** -(bits + Math.log2(prior)));
}
