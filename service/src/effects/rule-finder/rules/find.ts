import { compileCondition } from '../../../resources/projects/rules/conditions/condition.js';
import { emptyBits, except } from './bits.js';
import { lowerBound, mostHits, peopleToShowCatch, peopleToShowHonest, upperBound } from './bounds.js';
import { comparisonsOf, type Rows } from './comparisons.js';
import { type Joined, joined, matchesOf, shortened, textOf } from './joined.js';
import type { Samples } from './samples.js';
import { split } from './split.js';
import { bestTerm, type Candidate, candidateOf, type Half, halfOf, PersonCounter, type Term } from './terms.js';

/** What a rule must achieve, as shares from 0 to 1. */
export interface Target {
  /** Smallest share of the people with fraud that it catches. */
  readonly caught: number;
  /** Largest share of honest people that match. */
  readonly honest: number;
}

/** How many people match, with the bound that holds for further people of the same kind. */
export interface Tested {
  readonly hits: number;
  readonly people: number;
  readonly bound: number;
}

/** Labelled people that a search has, and those that it needs. */
export interface LabelledPeople {
  readonly fraud: number;
  readonly honest: number;
}

export type Found =
  | { readonly outcome: 'too_few'; readonly labelled: LabelledPeople; readonly needed: LabelledPeople }
  | { readonly outcome: 'none'; readonly labelled: LabelledPeople }
  | FoundRule;

/** A rule with its figures on the people who were held out. */
export interface FoundRule {
  /** `proven`: both bounds reach the target. `unproven`: the figures or the bounds do not. */
  readonly outcome: 'proven' | 'unproven';
  readonly labelled: LabelledPeople;
  /** In CEL. */
  readonly when: string;
  readonly fraud: Tested;
  readonly honest: Tested;
}

/** Numbers of terms and of comparisons in each, the shortest rules first. */
const shapes = [
  [1, 1],
  [1, 2],
  [2, 1],
  [1, 3],
  [3, 1],
  [2, 2],
  [3, 2],
  [2, 3],
  [3, 3],
] as const;

/** Smallest part of the fraud that a term must catch. */
const minPart = 0.02;

/**
 * Probability of an error at which the searched half must reach the target. It is far below that of the test, because a rule
 * that was chosen among many looks better than it is.
 */
const strict = 0.001;

export interface FindOptions {
  readonly target: Target;
  /** Numbers from 0 to below 1. */
  readonly random: () => number;
  /** Whether to end with what is found so far. Default: never. */
  readonly isLate?: () => boolean;
}

/**
 * Searches the shortest rule that reaches a target: terms of up to 3 comparisons, of which up to 3 are joined greedily. It
 * is chosen on one half of the labelled people, and tested once on the other, so that its bounds are those of one rule that was
 * fixed before. Both bounds hold together with 95%. Yields between short steps.
 */
export function* findRule(
  samples: Samples,
  { target, random, isLate = () => false }: FindOptions,
): Generator<undefined, Found> {
  const { searched, heldOut } = yield* split(samples, random);
  const labelled = {
    fraud: searched.fraud.length + heldOut.fraud.length,
    honest: peopleOf(samples, searched.honest) + peopleOf(samples, heldOut.honest),
  };
  const needed = { fraud: 2 * peopleToShowCatch(target.caught), honest: 2 * peopleToShowHonest(target.honest) };
  if (labelled.fraud < needed.fraud || labelled.honest < needed.honest) return { outcome: 'too_few', labelled, needed };
  const comparisons = yield* comparisonsOf(samples, searched);
  const candidates: Candidate[] = [];
  for (const comparison of comparisons) {
    candidates.push(candidateOf(comparison, searched));
    yield;
  }
  const rule = yield* search(candidates, halfOf(samples, searched), { target, isLate });
  return rule ? yield* testOn(heldOut, samples, rule, { target, labelled }) : { outcome: 'none', labelled };
}

function* search(
  candidates: readonly Candidate[],
  half: Half,
  { target, isLate }: Required<Pick<FindOptions, 'target' | 'isLate'>>,
): Generator<undefined, Joined | undefined> {
  const counter = new PersonCounter(half);
  const isEnough = ({ caught }: Joined, probability?: number) =>
    lowerBound(caught, half.fraudRows, probability) >= target.caught;
  const found: (Joined & { readonly budget: number })[] = [];
  const [strictly, usually] = [strict, undefined].map((probability) =>
    Math.max(0, mostHits(half.honestCount, target.honest, probability)),
  );
  // A rule that reaches the target with few honest people is more likely to reach it in the test.
  for (const budget of new Set([Math.floor((strictly ?? 0) / 2), strictly ?? 0, usually ?? 0])) {
    for (const [maxTerms, maxComparisons] of shapes) {
      const limits = { half, budget, maxTerms, maxComparisons, isLate };
      const rule = joined(yield* greedyTerms(candidates, counter, limits), half);
      if (rule.terms.length > 0 && 'condition' in compileCondition(textOf(rule.terms))) found.push({ ...rule, budget });
      if (isLate() || isEnough(rule, strict)) break;
    }
    if (isLate() || found.some((rule) => isEnough(rule))) break;
  }
  const most = Math.max(0, ...found.map(({ caught }) => caught));
  const chosen =
    found.find((rule) => isEnough(rule, strict)) ??
    found.find((rule) => isEnough(rule)) ??
    found.find(({ caught }) => caught === most);
  if (!chosen) return undefined;
  const reached = [strict, undefined].find((probability) => isEnough(chosen, probability));
  const isGood = (rule: Joined) =>
    rule.hits <= chosen.budget && (isEnough(chosen) ? isEnough(rule, reached) : rule.caught >= chosen.caught);
  return shortened(chosen, half, isGood);
}

interface Greedy {
  readonly half: Half;
  readonly budget: number;
  readonly maxTerms: number;
  readonly maxComparisons: number;
  readonly isLate: () => boolean;
}

/** Adds the term that catches most of what is left, until there is none (the greedy algorithm of set cover). */
function* greedyTerms(
  candidates: readonly Candidate[],
  counter: PersonCounter,
  { half, budget, maxTerms, maxComparisons, isLate }: Greedy,
): Generator<undefined, Term[]> {
  const minCaught = Math.max(1, Math.ceil(minPart * half.fraudRows));
  const terms: Term[] = [];
  for (let left = maxTerms; left > 0; left--) {
    const { fraud, hit, hits } = matchesOf(terms, half);
    const wanted = {
      uncovered: except(emptyBits(half.fraudRows).fill(-1), fraud),
      hit,
      budget: Math.floor((budget - hits) / left),
    };
    const term = yield* bestTerm(candidates, counter, { ...wanted, maxComparisons, minCaught, isLate });
    if (!term) break;
    terms.push(term);
  }
  return terms;
}

/** Tests a rule on people who had no part in choosing it. */
function* testOn(
  { fraud, honest }: Rows,
  samples: Samples,
  { terms }: Joined,
  { target, labelled }: { readonly target: Target; readonly labelled: LabelledPeople },
): Generator<undefined, FoundRule> {
  const matches = (row: number) =>
    terms.some((term) => term.every(({ comparison }) => comparison.holds(comparison.column.values[row] ?? Number.NaN)));
  const caught = fraud.filter(matches).length;
  yield;
  const hits = peopleOf(samples, honest.filter(matches));
  yield;
  const people = peopleOf(samples, honest);
  const result = {
    fraud: { hits: caught, people: fraud.length, bound: lowerBound(caught, fraud.length) },
    honest: { hits, people, bound: upperBound(hits, people) },
  };
  const isShown = result.fraud.bound >= target.caught && result.honest.bound <= target.honest;
  return { outcome: isShown ? 'proven' : 'unproven', labelled, when: textOf(terms), ...result };
}

function peopleOf({ persons }: Samples, rows: readonly number[]): number {
  return new Set(rows.map((row) => persons[row])).size;
}
