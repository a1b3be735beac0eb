import { type Comparison, compare, facets, type ParsedFingerprint, parse, priors, unreadable } from 'whorl/fingerprint';
import type { MatchedBy } from 'whorl/wire';
import { dayMs } from '../../time.js';
import { type Census, projectPrior, sharesOf } from './census.js';

/** A fingerprint on record that the one at hand may be a variant of. */
export interface Candidate {
  readonly identityId: string;
  readonly fingerprint: string;
  readonly lastSeenAt: Date;
  /** Why it was thought of. */
  readonly from: 'last' | 'user' | 'project';
}

/** The identity of a fingerprint that was not seen before; undefined: a new one, with the confidence that it is. */
export interface Choice {
  readonly identityId: string | undefined;
  readonly matchedBy: MatchedBy;
  readonly confidence: number;
  readonly changed: readonly string[];
}

/** What a fingerprint is weighed with. */
export interface Scales {
  readonly now: Date;
  readonly census: Census;
}

interface Weighed {
  readonly candidate: Candidate;
  readonly comparison: Comparison;
  /** That it is the same device and not a new one, before the others are looked at. */
  readonly odds: number;
}

/** Fewer readable hardware facets on both sides leave a saved fingerprint nothing to be held against. */
const fewestShared = 3;

/**
 * Of the candidates that are more likely than not the same device, the likeliest. Each identity's odds count against
 * every other's: where many devices of the project fit equally well, none of them is chosen. Among the user's own, the
 * best is chosen all the same, with a confidence that says so.
 */
export function chooseIdentity(fingerprint: string, candidates: readonly Candidate[], scales: Scales): Choice {
  const weighed = bestOfEach(candidates.flatMap((candidate) => weigh(fingerprint, candidate, scales) ?? []));
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

/**
 * Whether a browser's version went backwards from one fingerprint to another: an older browser, or somebody's copy of
 * an older state.
 */
export function goesBack(from: ParsedFingerprint, to: ParsedFingerprint): boolean {
  return to.descriptor.browserVersion > 0 && to.descriptor.browserVersion < from.descriptor.browserVersion;
}

/** Whether nothing speaks against it that a saved fingerprint is this very browser's of another day. */
export function upholdsLast(from: ParsedFingerprint, to: ParsedFingerprint): boolean {
  const shared = facets.filter(
    ({ name, group }) => group === 'hardware' && from.facets[name] !== unreadable && to.facets[name] !== unreadable,
  );
  const agrees = shared.every(({ name }) => from.facets[name] === to.facets[name]);
  return agrees && shared.length >= fewestShared && isOneFamily(from, to) && !goesBack(from, to);
}

/** Another system or browser family is another identity, whatever else agrees. */
function isOneFamily({ descriptor: a }: ParsedFingerprint, { descriptor: b }: ParsedFingerprint): boolean {
  return a.os === b.os && a.browser === b.browser;
}

function bestOfEach(all: readonly Weighed[]): Weighed[] {
  const best = new Map<string, Weighed>();
  for (const one of all) {
    const { identityId } = one.candidate;
    if (one.odds > (best.get(identityId)?.odds ?? 0)) best.set(identityId, one);
  }
  return [...best.values()];
}

function weigh(fingerprint: string, candidate: Candidate, { now, census }: Scales): Weighed | undefined {
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
 * A saved fingerprint is a string that can be copied: what speaks against it leaves the candidate what any device of
 * the project has.
 */
function priorOf({ from }: Candidate, known: ParsedFingerprint, parsed: ParsedFingerprint, census: Census): number {
  if (from === 'user') return priors.user;
  return from === 'last' && upholdsLast(known, parsed) ? priors.userWithLast : projectPrior(census);
}
