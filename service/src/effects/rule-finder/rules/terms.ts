import { type Bits, bitsOf, countBoth } from './bits.js';
import type { Comparison, Rows } from './comparisons.js';
import type { Samples } from './samples.js';

/** A comparison, with the rows for which it holds. */
export interface Candidate {
  readonly comparison: Comparison;
  readonly fraud: Bits;
  readonly honest: Bits;
}

/** Half of the labelled people, in bits. */
export interface Half {
  /** One row for each person with fraud. */
  readonly fraudRows: number;
  /** The person of each row of the honest, who may have several. */
  readonly honestPersons: Int32Array;
  /** Number of honest persons, and of all persons, whose IDs are below it. */
  readonly honestCount: number;
  readonly personCount: number;
}

/** Comparisons that all have to hold. */
export type Term = readonly Candidate[];

/** What a term must achieve. */
export interface Wanted {
  /** Fraud that nothing else catches yet. */
  readonly uncovered: Bits;
  /** Persons that count already, by ID. */
  readonly hit: Uint8Array;
  /** Most further honest persons that may match. */
  readonly budget: number;
  readonly maxComparisons: number;
  /** Fewest people with fraud that it must catch. */
  readonly minCaught: number;
}

/** Part of the fraud that a term may give up to match no honest person instead of as many as it may. */
const safety = 0.05;

/** Prepares a half. */
export function halfOf({ persons }: Samples, rows: Rows): Half {
  const honestPersons = Int32Array.from(rows.honest, (row) => persons[row] ?? 0);
  return {
    fraudRows: rows.fraud.length,
    honestPersons,
    honestCount: new Set(honestPersons).size,
    personCount: honestPersons.reduce((most, person) => Math.max(most, person + 1), 0),
  };
}

export function candidateOf(comparison: Comparison, { fraud, honest }: Rows): Candidate {
  const { column, holds } = comparison;
  const ofRows = (rows: readonly number[]) =>
    bitsOf(rows.length, (index) => holds(column.values[rows[index] ?? -1] ?? Number.NaN));
  return { comparison, fraud: ofRows(fraud), honest: ofRows(honest) };
}

/** Counts honest persons by their rows. */
export class PersonCounter {
  readonly #seen: Int32Array;
  #turn = 0;

  constructor(private readonly half: Half) {
    this.#seen = new Int32Array(half.personCount);
  }

  /** Returns how many persons have a row in both sets and did not count before; more than `most` if it is more. */
  count(one: Bits, other: Bits, { hit, budget: most }: Pick<Wanted, 'hit' | 'budget'>): number {
    const turn = ++this.#turn;
    let persons = 0;
    for (let index = 0; index < one.length; index++) {
      let word = (one[index] ?? 0) & (other[index] ?? 0);
      while (word !== 0) {
        const person = this.half.honestPersons[index * 32 + 31 - Math.clz32(word & -word)] ?? 0;
        word &= word - 1;
        if (this.#seen[person] === turn || hit[person] === 1) continue;
        this.#seen[person] = turn;
        if (++persons > most) return persons;
      }
    }
    return persons;
  }
}

/**
 * Finds the term that catches the most fraud within its budget of honest people: all terms are tried, except those that
 * cannot catch more than the best one so far. Yields between short steps, and ends with the best one so far if it is late.
 */
export function* bestTerm(
  all: readonly Candidate[],
  counter: PersonCounter,
  { isLate, ...wanted }: Wanted & { readonly isLate: () => boolean },
): Generator<undefined, Term | undefined> {
  let best: Term | undefined;
  let bestScore = wanted.minCaught - 1;
  const consider = (caught: number, honest: readonly [Bits, Bits], term: Term): boolean => {
    const persons = counter.count(...honest, wanted);
    if (persons > wanted.budget) return false;
    const score = caught * (1 - (safety * persons) / (wanted.budget + 1));
    if (score > bestScore) [best, bestScore] = [term, score];
    return true;
  };
  const sorted = all
    .map((candidate) => ({ candidate, caught: countBoth(candidate.fraud, wanted.uncovered) }))
    .filter(({ caught }) => caught > bestScore)
    .sort((one, other) => other.caught - one.caught);
  const open: Candidate[] = [];
  for (const { candidate, caught } of sorted) {
    if (caught <= bestScore) break;
    if (!consider(caught, [candidate.honest, candidate.honest], [candidate])) open.push(candidate);
  }
  if (wanted.maxComparisons === 1) return best;
  const fraud = wanted.uncovered.slice();
  for (const [first, one] of open.entries()) {
    for (let second = first + 1; second < open.length; second++) {
      const other = open[second];
      if (!other || other.comparison.group === one.comparison.group) continue;
      intersect(fraud, one.fraud, other.fraud, wanted.uncovered);
      const caught = countBoth(fraud, fraud);
      if (caught <= bestScore) continue;
      if (consider(caught, [one.honest, other.honest], [one, other]) || wanted.maxComparisons === 2) continue;
      const honest = one.honest.map((word, index) => word & (other.honest[index] ?? 0));
      for (let third = second + 1; third < open.length; third++) {
        const last = open[third];
        if (!last || [one, other].some(({ comparison }) => comparison.group === last.comparison.group)) continue;
        const ofThree = countBoth(fraud, last.fraud);
        if (ofThree > bestScore) consider(ofThree, [honest, last.honest], [one, other, last]);
      }
      yield;
      if (isLate()) return best;
    }
    yield;
    if (isLate()) return best;
  }
  return best;
}

function intersect(into: Bits, one: Bits, other: Bits, third: Bits): void {
  for (let index = 0; index < into.length; index++) {
    into[index] = (one[index] ?? 0) & (other[index] ?? 0) & (third[index] ?? 0);
  }
}
