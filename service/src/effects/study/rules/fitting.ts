import { type FacetName, facets, lowestShare, weights as shipped, type Weight } from 'whorl/fingerprint';
import {
  type Frequencies,
  hardwareEnd,
  isSameHardware,
  keptAfter,
  type Pair,
  type Values,
  type Weights,
} from './scoring.js';

/** The prior odds for weighting pairs: between those of a project and those of one user. */
const priorOdds = 1 / 100;
/**
 * A lower value would mean that a facet has no evidence of its own. Pairs cannot show that, because facets depend on
 * each other.
 */
const minDamping = 0.05;
/** Upper bounds, because no population is large enough, and no year long enough, to measure more. */
const maxKept = 0.999;
const maxHalfLifeDays = 1250;
/** With fewer pairs of look-alikes, the shipped dampings are kept. */
const minLookAlikes = 500;

/** Returns the frequency of each value of each facet, among the devices that can read it. */
export function frequencies(fingerprints: readonly { readonly values: Values }[]): Frequencies {
  return facets.map((_, at) => {
    const counts = new Map<number, number>();
    let readable = 0;
    for (const { values } of fingerprints) {
      const value = values[at];
      if (!value) continue;
      counts.set(value, (counts.get(value) ?? 0) + 1);
      readable++;
    }
    return new Map([...counts].map(([value, count]) => [value, count / readable]));
  });
}

/** Returns the probability that two devices agree on a facet. */
export function accident(shares: ReadonlyMap<number, number>): number {
  return [...shares.values()].reduce((sum, share) => sum + share * share, 0);
}

/** Returns the frequency of a typical device's value: 2 to the power of minus the Shannon entropy. */
export function typical(shares: ReadonlyMap<number, number>): number {
  return 2 ** [...shares.values()].reduce((sum, share) => sum + share * Math.log2(share), 0);
}

type Keeping = Pick<Weight, 'm' | 'lasting' | 'halfLifeDays'>;

const edges = [0, 4, 8, 15, 30, 60, 90, 120, 180, 240, 300, 366];
const lastingShares = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1];

/**
 * Fits `m`, `lasting` and `halfLifeDays` of a facet to pairs of one device, by least squares over bins of time.
 * Accidental agreement (`u`) is subtracted first. Undefined if no bin has enough pairs.
 */
export function keeping(pairs: readonly Pair[], at: number, u: number): Keeping | undefined {
  const bins = edges.slice(1).map(() => ({ days: 0, agree: 0, count: 0 }));
  for (const { a, b, days } of pairs) {
    if (a[at] === 0 || b[at] === 0) continue;
    const bin = bins[edges.findIndex((edge) => edge > days) - 1];
    if (!bin) continue;
    bin.days += days;
    bin.count++;
    if (a[at] === b[at]) bin.agree++;
  }
  const points = bins
    .filter(({ count }) => count > 50)
    .map(({ days, agree, count }) => ({ days: days / count, kept: Math.max(0, agree / count - u) / (1 - u), count }));
  let best: (Keeping & { readonly error: number }) | undefined;
  for (const lasting of lastingShares) {
    for (let halfLifeDays = 2; halfLifeDays < 6000; halfLifeDays *= 1.2) {
      const shape = ({ days }: { days: number }) => lasting + (1 - lasting) * 2 ** (-days / halfLifeDays);
      const top = points.reduce((sum, point) => sum + point.count * shape(point) * point.kept, 0);
      const m = Math.min(1, top / points.reduce((sum, point) => sum + point.count * shape(point) ** 2, 0));
      const error = points.reduce((sum, point) => sum + point.count * (m * shape(point) - point.kept) ** 2, 0);
      if (error < (best ? best.error * 0.999 : Infinity)) best = { error, m, lasting, halfLifeDays };
    }
  }
  return best;
}

/** Evidence of a pair by facet, with the truth. `weight`: how much the pair counts. */
interface DampingRow {
  readonly bits: Float64Array;
  readonly same: boolean;
  readonly weight: number;
}

const none: DampingRow = { bits: new Float64Array(), same: false, weight: 0 };

/**
 * Fits dampings by weighted logistic regression: which share of each facet's bits makes their sum the logarithm of the
 * true odds. The values stay within the bounds. Uses Newton's method, one coordinate after another.
 */
function dampings(rows: readonly DampingRow[], { highest = 1, rounds = 25 } = {}): Float64Array {
  const damping = new Float64Array(1 + facets.length - hardwareEnd).fill(0.5);
  const offset = Math.log(priorOdds);
  const logits = Float64Array.from(
    rows,
    ({ bits }) => offset + Math.LN2 * 0.5 * bits.reduce((sum, bit) => sum + bit, 0),
  );
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < damping.length; at++) {
      const current = damping[at] ?? 0;
      let slope = 0;
      let curve = 1e-12;
      // Counted loops, because iterators are several times slower here.
      for (let row = 0; row < rows.length; row++) {
        const x = Math.LN2 * (rows[row]?.bits[at] ?? 0);
        if (x === 0) continue;
        const { same, weight } = rows[row] ?? none;
        const p = 1 / (1 + Math.exp(-(logits[row] ?? 0)));
        slope += weight * x * ((same ? 1 : 0) - p);
        curve += weight * x * x * p * (1 - p);
      }
      const next = Math.min(highest, Math.max(minDamping, current + slope / curve));
      const step = Math.LN2 * (next - current);
      damping[at] = next;
      for (let row = 0; row < rows.length; row++) {
        logits[row] = (logits[row] ?? 0) + step * (rows[row]?.bits[at] ?? 0);
      }
    }
  }
  return damping;
}

/** Pairs of two devices with equal hardware, and their share of all pairs of two devices. */
export interface LookAlikes<Of extends Pair = Pair> {
  readonly pairs: readonly Of[];
  readonly share: number;
}

export interface FitInput {
  readonly same: readonly Pair[];
  readonly lookAlikes: LookAlikes;
  readonly shares: Frequencies;
  /** Returns `m` of a hardware facet, given the measured agreement after subtracting accidental agreement. */
  hardwareKept(name: FacetName, measured: number | undefined): number;
}

/** Fits the table of weights. What the pairs cannot show keeps its shipped value. */
export function fitWeights({ same, lookAlikes, shares, hardwareKept }: FitInput): Weights {
  const table = facets.map(({ name, group }, at): Weight => {
    const counts = shares[at] ?? new Map<number, number>();
    const u = counts.size > 0 ? typical(counts) : shipped[name].u;
    const chance = accident(counts);
    if (group === 'hardware') {
      const m = hardwareKept(name, agreement(same, at, chance));
      return { u, m, lasting: 1, halfLifeDays: 3650, damping: 1 };
    }
    const kept = keeping(same, at, chance);
    if (!kept) return { ...shipped[name], u, damping: 1 };
    return { u, ...(group === 'setting' ? withinAWeek(kept) : bounded(kept)), damping: 1 };
  });
  const damping = fitDampings(table, { same, lookAlikes, shares });
  return roundWeights(table.map((row, at) => ({ ...row, damping: damping?.[at] ?? dampingOf(at) })));
}

function dampingOf(at: number): number {
  const facet = facets[at];
  return facet ? shipped[facet.name].damping : 1;
}

function agreement(pairs: readonly Pair[], at: number, u: number): number | undefined {
  const readable = pairs.filter(({ a, b }) => a[at] !== 0 && b[at] !== 0);
  if (readable.length === 0 || u >= 1) return undefined;
  const agree = readable.filter(({ a, b }) => a[at] === b[at]).length / readable.length;
  return Math.max(0, agree - u) / (1 - u);
}

/** A facet that never changed with time in the data may still change with a future update. */
function bounded({ m, lasting, halfLifeDays }: Keeping): Keeping {
  const isConstant = lasting === 1 || halfLifeDays > maxHalfLifeDays;
  return {
    m: Math.min(maxKept, m),
    lasting: isConstant ? 0 : Math.min(lasting, 0.5),
    halfLifeDays: isConstant ? maxHalfLifeDays : halfLifeDays,
  };
}

/**
 * A monitor, a mouse or dark mode can change within an hour, so what changes within a week counts as an immediate
 * change.
 */
function withinAWeek({ m, lasting, halfLifeDays }: Keeping): Keeping {
  const left = (1 - lasting) * 2 ** (-7 / halfLifeDays);
  return {
    m: Math.min(maxKept, m * (lasting + left)),
    lasting: Math.min(0.98, lasting / (lasting + left)),
    halfLifeDays,
  };
}

/** Returns the damping of each facet. Only pairs with equal hardware matter: for the others, the hardware decides. */
function fitDampings(
  table: readonly Weight[],
  { same, lookAlikes, shares }: Pick<FitInput, 'same' | 'lookAlikes' | 'shares'>,
): number[] | undefined {
  if (lookAlikes.pairs.length < minLookAlikes) return undefined;
  const bitsOf = ({ a, b, days }: Pair) => {
    const bits = new Float64Array(1 + facets.length - hardwareEnd);
    for (const [at, row] of table.entries()) {
      const value = a[at] ?? 0;
      if (value === 0 || b[at] === 0) continue;
      const kept = keptAfter(days, row);
      const share = Math.max(lowestShare, shares[at]?.get(value) ?? 0);
      const bit = value === b[at] ? Math.log2(kept / share + 1 - kept) : Math.log2(1 - kept);
      const to = at < hardwareEnd ? 0 : 1 + at - hardwareEnd;
      bits[to] = (bits[to] ?? 0) + bit;
    }
    return bits;
  };
  const sameHardware = same.filter(isSameHardware);
  const damping = dampings([
    ...sameHardware.map((pair) => ({ bits: bitsOf(pair), same: true, weight: priorOdds / sameHardware.length })),
    ...lookAlikes.pairs.map((pair) => ({
      bits: bitsOf(pair),
      same: false,
      weight: lookAlikes.share / lookAlikes.pairs.length,
    })),
  ]);
  return table.map((_, at) => damping[at < hardwareEnd ? 0 : 1 + at - hardwareEnd] ?? 1);
}

function roundWeights(table: readonly Weight[]): Weights {
  const rounded = facets.map(({ name }, at): [FacetName, Weight] => {
    const row = table[at] ?? shipped[name];
    return [
      name,
      {
        u: Number(row.u.toPrecision(2)),
        m: Math.round(row.m * 1e5) / 1e5,
        lasting: Math.round(row.lasting * 100) / 100,
        halfLifeDays: row.lasting === 1 ? 3650 : Number(row.halfLifeDays.toPrecision(2)),
        damping: Math.max(minDamping, Math.round(row.damping * 100) / 100),
      },
    ];
  });
  return { ...shipped, ...Object.fromEntries(rounded) };
}
