import { type Comparison, compare, facets, type ParsedFingerprint, parse, priors, unreadable } from 'whorl/fingerprint';
import type { MatchedBy } from 'whorl/wire';
import { dayMs } from '../../../ground/time.js';
import { type Census, projectPrior, type Shares, sharesOf } from './census.js';

/**
 * Operating point of linking: the largest expected number of other devices that fit equally well, up to which a
 * fingerprint is still linked to an identity that neither a key nor the user connects it with. A lower number separates
 * more look-alikes, and recognises fewer devices that several users share (docs/research/identity.md, "A population").
 */
export const maxCrowd = 0.05;

/**
 * Odds that the browser with a proven key is the same device. They outweigh one hardware facet that differs, not two.
 */
const keyOdds = 1_000_000;

/** Stored fingerprint that this one may be a variant of. */
export interface Candidate {
  readonly identityId: string;
  readonly fingerprint: string;
  readonly lastSeenAt: Date;
  /**
   * Why it is a candidate: its device has the proven key, it belongs to the user, it is the saved fingerprint, or it is
   * equal or similar in the project.
   */
  readonly from: 'key' | 'user' | 'last' | 'project';
  /** Whether a saved fingerprint is of one of the user's devices. Default: false. */
  readonly isOwn?: boolean;
}

/**
 * Chosen identity of a fingerprint. If `identityId` is undefined, the identity is new, and `confidence` is the
 * confidence in that.
 */
export interface Choice {
  readonly identityId: string | undefined;
  readonly matchedBy: MatchedBy;
  readonly confidence: number;
  readonly changed: readonly string[];
}

export const asNew: Choice = { identityId: undefined, matchedBy: 'new', confidence: 1, changed: [] };

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
 * Returns the identity of a fingerprint. The order: the identity of the proven key, the best of the user's own, and the
 * identity of the saved fingerprint, if the last two are more likely than not the same device. Otherwise the best of
 * the project, if the expected number of others that fit equally well is at most `maxCrowd`. Among the user's own
 * devices the best is always chosen, because confusing two of them reveals nothing; the confidence reflects the
 * competition.
 *
 * @param options.largestCrowd Instead of `maxCrowd`, for measurements.
 */
export function chooseIdentity(
  fingerprint: string,
  candidates: readonly Candidate[],
  scales: WeighingInputs,
  { largestCrowd = maxCrowd } = {},
): Choice {
  const parsed = parse(fingerprint);
  if (!parsed) return asNew;
  const own = new Set(
    candidates.filter(({ from, isOwn }) => from === 'user' || isOwn).map(({ identityId }) => identityId),
  );
  const weighing = { ...scales, fingerprint, parsed, own, largestCrowd, shares: sharesOf(scales.census, parsed) };
  const rank = (some: readonly Candidate[]) =>
    bestPerIdentity(some.flatMap((candidate) => weigh(candidate, weighing) ?? [])).sort((a, b) => b.odds - a.odds);
  const sumOf = (ranked: readonly Weighed[]) => ranked.reduce((sum, { odds }) => sum + odds, 1);
  const ofKey = candidates.filter(({ from }) => from === 'key');
  const ofUser = candidates.filter(({ identityId }) => own.has(identityId));
  const saved = candidates.filter((candidate) => candidate.from === 'last' && isEvidence(candidate, weighing));
  for (const some of [ofKey, ofUser, saved]) {
    const ranked = rank(some);
    const [best] = ranked;
    if (best && best.odds >= 1) return choiceOf(best, fingerprint, sumOf(ranked));
  }
  const ranked = rank(candidates);
  const [best] = ranked;
  const total = sumOf(ranked);
  if (best && total - best.odds <= largestCrowd * best.odds) return choiceOf(best, fingerprint, total);
  return { ...asNew, confidence: 1 - (best?.odds ?? 0) / total };
}

function choiceOf({ candidate, comparison, odds }: Weighed, fingerprint: string, total: number): Choice {
  const { hardware, software, setting } = comparison.changed;
  return {
    identityId: candidate.identityId,
    matchedBy: matchOf(candidate, fingerprint),
    confidence: odds / total,
    changed: [...hardware, ...software, ...setting],
  };
}

function matchOf({ from, fingerprint: known }: Candidate, fingerprint: string): MatchedBy {
  if (known === fingerprint) return 'exact';
  return from === 'key' || from === 'last' ? from : 'facets';
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

interface Weighing extends WeighingInputs {
  readonly fingerprint: string;
  readonly parsed: ParsedFingerprint;
  readonly shares: Shares;
  readonly largestCrowd: number;
  /** Identities of the user's devices. */
  readonly own: ReadonlySet<string>;
}

function weigh(candidate: Candidate, weighing: Weighing): Weighed | undefined {
  const { fingerprint, parsed, now, shares } = weighing;
  const known = parse(candidate.fingerprint);
  if (!known || !isOneFamily(known, parsed)) return undefined;
  const elapsedDays = Math.max(0, (now.getTime() - candidate.lastSeenAt.getTime()) / dayMs);
  const prior = priorOf(candidate, known, weighing);
  const comparison = compare(candidate.fingerprint, fingerprint, { elapsedDays, prior, shares });
  return { candidate, comparison, odds: prior * 2 ** comparison.bits };
}

function priorOf(candidate: Candidate, known: ParsedFingerprint, weighing: Weighing): number {
  const { from, identityId } = candidate;
  if (from === 'key') return keyOdds;
  if (from === 'last' && isEvidence(candidate, weighing, known)) return priors.userWithLast;
  return weighing.own.has(identityId) ? priors.user : projectPrior(weighing.census);
}

/**
 * Returns whether a saved fingerprint is evidence. It can be copied or restored, and look-alikes save the same one, so
 * it must be consistent, and either the user's own or rare. Otherwise it counts like any fingerprint.
 */
function isEvidence(
  { identityId, fingerprint }: Candidate,
  { parsed, census, own, largestCrowd }: Weighing,
  known = parse(fingerprint),
): boolean {
  if (!known || !isConsistentWithLast(known, parsed)) return false;
  return own.has(identityId) || crowdOf(fingerprint, known, census) <= largestCrowd;
}

/** Returns the expected number of other devices of the project with this fingerprint. */
function crowdOf(fingerprint: string, parsed: ParsedFingerprint, census: Census): number {
  const { bits } = compare(fingerprint, fingerprint, { shares: sharesOf(census, parsed) });
  return 1 / (projectPrior(census) * 2 ** bits);
}
