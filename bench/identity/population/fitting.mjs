import { facets } from '../../../dist/fingerprint.js';

/** Returns the frequency of each value of each facet, among the devices that can read it. */
export function frequencies(fingerprints) {
  return facets.map((_, at) => {
    const counts = new Map();
    for (const { values } of fingerprints) {
      if (values[at] !== 0) counts.set(values[at], (counts.get(values[at]) ?? 0) + 1);
    }
    const readable = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return new Map([...counts].map(([value, count]) => [value, count / readable]));
  });
}

/** Returns the probability that two devices agree on a facet. */
export function accident(shares) {
  return [...shares.values()].reduce((sum, share) => sum + share * share, 0);
}

/** Returns the frequency of a typical device's value: 2 to the power of minus the Shannon entropy. */
export function typical(shares) {
  return 2 ** [...shares.values()].reduce((sum, share) => sum + share * Math.log2(share), 0);
}

const edges = [0, 4, 8, 15, 30, 60, 90, 120, 180, 240, 300, 366];

/**
 * Fits `m`, `lasting` and `halfLifeDays` of a facet to pairs of one device, by least squares over bins of time.
 * Accidental agreement (`u`) is subtracted first.
 */
export function keeping(pairs, at, u) {
  const bins = edges.slice(1).map(() => ({ days: 0, agree: 0, count: 0 }));
  for (const { a, b, days } of pairs) {
    if (a[at] === 0 || b[at] === 0) continue;
    const bin = bins[edges.findIndex((edge) => edge > days) - 1];
    bin.days += days;
    bin.count++;
    if (a[at] === b[at]) bin.agree++;
  }
  const points = bins
    .filter(({ count }) => count > 50)
    .map(({ days, agree, count }) => ({ days: days / count, kept: Math.max(0, agree / count - u) / (1 - u), count }));
  let best = { error: Infinity };
  for (const lasting of [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1]) {
    for (let halfLifeDays = 2; halfLifeDays < 6000; halfLifeDays *= 1.2) {
      const shape = ({ days }) => lasting + (1 - lasting) * 2 ** (-days / halfLifeDays);
      const top = points.reduce((sum, point) => sum + point.count * shape(point) * point.kept, 0);
      const m = Math.min(1, top / points.reduce((sum, point) => sum + point.count * shape(point) ** 2, 0));
      const error = points.reduce((sum, point) => sum + point.count * (m * shape(point) - point.kept) ** 2, 0);
      if (error < best.error * 0.999) best = { error, m, lasting, halfLifeDays };
    }
  }
  return best;
}

/**
 * Fits dampings by weighted logistic regression: which share of each facet's bits makes their sum the logarithm of the
 * true odds. Each row is `{ bits, same, weight }`. The values stay within the bounds. Uses Newton's method, one
 * coordinate after another.
 */
export function dampings(rows, priorOdds, { lowest = 0.05, highest = 1, rounds = 25 } = {}) {
  const width = rows[0].bits.length;
  const damping = new Float64Array(width).fill(0.5);
  const offset = Math.log(priorOdds);
  const logits = Float64Array.from(
    rows,
    ({ bits }) => offset + Math.LN2 * 0.5 * bits.reduce((sum, bit) => sum + bit, 0),
  );
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < width; at++) {
      let slope = 0;
      let curve = 1e-12;
      for (let row = 0; row < rows.length; row++) {
        const { bits, same, weight } = rows[row];
        const x = Math.LN2 * bits[at];
        if (x === 0) continue;
        const p = 1 / (1 + Math.exp(-logits[row]));
        slope += weight * x * ((same ? 1 : 0) - p);
        curve += weight * x * x * p * (1 - p);
      }
      const next = Math.min(highest, Math.max(lowest, damping[at] + slope / curve));
      const step = Math.LN2 * (next - damping[at]);
      damping[at] = next;
      for (let row = 0; row < rows.length; row++) logits[row] += step * rows[row].bits[at];
    }
  }
  return damping;
}
