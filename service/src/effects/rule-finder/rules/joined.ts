import { type Bits, both, count, either, emptyBits } from './bits.js';
import type { Half, Term } from './terms.js';

/** Terms of which one has to hold, with the people of a half that match. */
export interface Joined {
  readonly terms: readonly Term[];
  readonly caught: number;
  readonly hits: number;
}

/** What terms match in a half. */
export interface Matches {
  readonly fraud: Bits;
  /** 1 for each honest person with a matching row, by ID. */
  readonly hit: Uint8Array;
  readonly hits: number;
}

/** Returns what terms match together. */
export function matchesOf(terms: readonly Term[], half: Half): Matches {
  const hit = new Uint8Array(half.personCount);
  let fraud = emptyBits(half.fraudRows);
  for (const term of terms) {
    fraud = either(fraud, term.map((part) => part.fraud).reduce(both));
    const honest = term.map((part) => part.honest).reduce(both);
    for (const [row, person] of half.honestPersons.entries()) {
      if ((honest[row >>> 5] ?? 0) & (1 << (row & 31))) hit[person] = 1;
    }
  }
  return { fraud, hit, hits: hit.reduce((sum, each) => sum + each, 0) };
}

/** Joins terms. */
export function joined(terms: readonly Term[], half: Half): Joined {
  const { fraud, hits } = matchesOf(terms, half);
  return { terms, caught: count(fraud), hits };
}

/** Returns the condition of terms, in CEL. */
export function textOf(terms: readonly Term[]): string {
  const texts = terms.map((term) => term.map(({ comparison }) => comparison.text).join(' && '));
  return texts
    .map((text, index) => (texts.length > 1 && (terms[index]?.length ?? 0) > 1 ? `(${text})` : text))
    .join(' || ');
}

/** Leaves out terms, then comparisons, as long as the rest is good. */
export function shortened(from: Joined, half: Half, isGood: (rule: Joined) => boolean): Joined {
  for (const terms of shorterThan(from.terms)) {
    const rule = joined(terms, half);
    if (isGood(rule)) return shortened(rule, half, isGood);
  }
  return from;
}

function shorterThan(terms: readonly Term[]): Term[][] {
  const without = <Value>(values: readonly Value[], at: number) => values.filter((_value, index) => index !== at);
  const fewerTerms = terms.length > 1 ? terms.map((_term, at) => without(terms, at)) : [];
  const shorterTerms = terms.flatMap((term, at) =>
    term.length > 1
      ? term.map((_part, part) => terms.map((each, index) => (index === at ? without(each, part) : each)))
      : [],
  );
  return [...fewerTerms, ...shorterTerms];
}
