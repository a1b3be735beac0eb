import { type Comparison, compare, facets, type ParsedFingerprint, parse, priors, unreadable } from 'whorl/fingerprint';
import type { MatchedBy } from 'whorl/wire';
import { dayMs } from '../../time.js';
import { type Census, projectPrior, sharesOf } from './census.js';

/** Stored fingerprint that this one may be a variant of. */
export interface Candidate {
  readonly identityId: string;
  readonly fingerprint: string;
  readonly lastSeenAt: Date;
  /** Why it is a candidate: it is the last fingerprint, belongs to the user, or is similar in the project. */
  readonly from: 'last' | 'user' | 'project';
}

/**
 * Chosen identity of a new fingerprint. If `identityId` is undefined, the identity is new, and `confidence` is the
 * confidence in that.
 */
export interface Choice {
  readonly identityId: string | undefined;
  readonly matchedBy: MatchedBy;
  readonly confidence: number;
  readonly changed: readonly string[];
}

/** Inputs for weighing a candidate. */
export interface WeighingInputs {
  readonly now: Date;
  readonly census: Census;
}

interface Weighed {
  readonly candidate: Candidate;
  readonly comparison: Comparison;
  /** Odds that it is the same device rather than a new one, before other candidates are considered. */
  readonly odds: number;
}

/** Minimum number of hardware facets readable on both sides for a saved fingerprint to be checked against. */
const minShared = 3;

/**
 * Returns the most likely candidate among those that are more likely than not the same device. The odds of each
 * identity count against all others: if many devices of the project fit equally well, none is chosen. Among the user's
 * own devices the best is always chosen, with a confidence that reflects the competition.
 */
export function chooseIdentity(fingerprint: string, candidates: readonly Candidate[], scales: WeighingInputs): Choice {
  const weighed = bestPerIdentity(candidates.flatMap((candidate) => weigh(fingerprint, candidate, scales) ?? []));
  const total = weighed.reduce((sum, { odds }) => sum + odds, 1);
  const confidenceOf = ({ odds }: Weighed) => odds / total;
  const isEnough = (one: Weighed) =>
    one.candidate.from === 'project' ? confidenceOf(one) >= 0.5 : one.comparison.same && one.odds >= 1;
  const [best] = weighed.filter(isEnough).sort((a, b) => b.odds - a.odds);
  if (!best) {
    const likeliest = Math.max(0, ...weighed.map(confidenceOf));
    return { identityId: undefined, matchedBy: 'new', confidence: 1 - likeliest, changed: [] };
  }
  const { hardware, software, setting } = best.comparison.changed;
  return {
    identityId: best.candidate.identityId,
    matchedBy: best.candidate.from === 'last' ? 'last' : 'facets',
    confidence: confidenceOf(best),
    changed: [...hardware, ...software, ...setting],
  };
}

/** Returns whether the browser version went backwards: this is an older browser, or a copy of an older state. */
export function isDowngrade(from: ParsedFingerprint, to: ParsedFingerprint): boolean {
  return to.descriptor.browserVersion > 0 && to.descriptor.browserVersion < from.descriptor.browserVersion;
}

/** Returns whether a saved fingerprint is consistent with coming from the same browser on an earlier day. */
export function isConsistentWithLast(from: ParsedFingerprint, to: ParsedFingerprint): boolean {
  const shared = facets.filter(
    ({ name, group }) => group === 'hardware' && from.facets[name] !== unreadable && to.facets[name] !== unreadable,
  );
  const agrees = shared.every(({ name }) => from.facets[name] === to.facets[name]);
  return agrees && shared.length >= minShared && isOneFamily(from, to) && !isDowngrade(from, to);
}

/** A different operating system or browser family is a different identity, whatever else matches. */
function isOneFamily({ descriptor: a }: ParsedFingerprint, { descriptor: b }: ParsedFingerprint): boolean {
  return a.os === b.os && a.browser === b.browser;
}

function bestPerIdentity(all: readonly Weighed[]): Weighed[] {
  const best = new Map<string, Weighed>();
  for (const one of all) {
    const { identityId } = one.candidate;
    if (one.odds > (best.get(identityId)?.odds ?? 0)) best.set(identityId, one);
  }
  return [...best.values()];
}

function weigh(fingerprint: string, candidate: Candidate, { now, census }: WeighingInputs): Weighed | undefined {
  const parsed = parse(fingerprint);
  const known = parse(candidate.fingerprint);
  if (!parsed || !known || !isOneFamily(known, parsed)) return undefined;
  const elapsedDays = Math.max(0, (now.getTime() - candidate.lastSeenAt.getTime()) / dayMs);
  const prior = priorOf(candidate, known, parsed, census);
  const comparison = compare(candidate.fingerprint, fingerprint, {
    elapsedDays,
    prior,
    shares: sharesOf(census, parsed),
  });
  return { candidate, comparison, odds: prior * 2 ** comparison.bits };
}

/**
 * Returns the prior of a candidate. A saved fingerprint can be copied, so if it is inconsistent, the candidate gets the
 * same prior as any device of the project.
 */
function priorOf({ from }: Candidate, known: ParsedFingerprint, parsed: ParsedFingerprint, census: Census): number {
  if (from === 'user') return priors.user;
  return from === 'last' && isConsistentWithLast(known, parsed) ? priors.userWithLast : projectPrior(census);
}
