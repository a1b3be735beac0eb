import { type Comparison, compare, parse, priors } from 'whorl/fingerprint';
import type { MatchedBy } from 'whorl/wire';

/** A fingerprint on record that the one at hand may be a variant of. */
export interface Candidate {
  readonly identityId: string;
  readonly fingerprint: string;
  readonly lastSeenAt: Date;
  /** Why it was thought of. */
  readonly from: 'last' | 'user' | 'project';
}

export interface Choice {
  readonly identityId: string;
  readonly matchedBy: MatchedBy;
  readonly confidence: number;
  readonly changed: readonly string[];
}

const dayMs = 86_400_000;

/**
 * Of the candidates that are more likely than not the same device, the likeliest. Another system or browser family is
 * another identity, whatever else agrees.
 */
export function chooseIdentity(fingerprint: string, candidates: readonly Candidate[], now: Date): Choice | undefined {
  let best: Choice | undefined;
  for (const candidate of candidates) {
    if (familyOf(candidate.fingerprint) !== familyOf(fingerprint)) continue;
    const comparison = compareWith(fingerprint, candidate, now);
    if (!comparison.same || (best && best.confidence >= comparison.confidence)) continue;
    const { hardware, software, setting } = comparison.changed;
    best = {
      identityId: candidate.identityId,
      matchedBy: candidate.from === 'last' ? 'last' : 'facets',
      confidence: comparison.confidence,
      changed: [...hardware, ...software, ...setting],
    };
  }
  return best;
}

function familyOf(fingerprint: string): string | undefined {
  const descriptor = parse(fingerprint)?.descriptor;
  return descriptor && `${descriptor.os} ${descriptor.browser}`;
}

function compareWith(fingerprint: string, { fingerprint: known, lastSeenAt, from }: Candidate, now: Date): Comparison {
  const elapsedDays = Math.max(0, (now.getTime() - lastSeenAt.getTime()) / dayMs);
  const prior = { last: priors.userWithLast, user: priors.user, project: priors.project }[from];
  const comparison = compare(known, fingerprint, { elapsedDays, prior });
  // A saved fingerprint is a string that can be copied: it never outweighs hardware that disagrees.
  return from === 'last' && comparison.changed.hardware.length > 0
    ? compare(known, fingerprint, { elapsedDays, prior: priors.project })
    : comparison;
}
