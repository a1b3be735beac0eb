import type { ReviewCause } from '../../ground/vocabulary.js';
import type { Facts, Finding } from './facts.js';
import type { Judgement } from './judge.js';
import { percentOf } from './risk/contribution.js';

/**
 * Returns why an evaluation waits for a person; undefined if it does not. A failed attempt has no effect that a person could
 * correct, and a block is the decision of a person already.
 */
export function reviewCause(
  { verdict, findings, risk }: Pick<Judgement, 'verdict' | 'findings' | 'risk'>,
  { outcome, settings }: Pick<Facts, 'outcome' | 'settings'>,
): ReviewCause | undefined {
  const isBlocked = verdict === 'deny' && findings.some(({ reason }) => reason === 'blocked');
  if (outcome === 'failed' || isBlocked) return undefined;
  if (findings.some(isMarked)) return 'mark';
  if (verdict !== 'allow' && verdict !== 'challenge') return 'verdict';
  const { review_score: threshold } = settings;
  return risk && threshold !== null && percentOf(risk.bits) >= threshold ? 'score' : undefined;
}

/** Returns whether a rule or an entry of a list asks for a review. */
function isMarked({ reason, evidence }: Finding): boolean {
  const marks = reason === 'rule' ? evidence.rules : reason === 'list' ? evidence.entries : undefined;
  return Array.isArray(marks) && marks.some(isReview);
}

const isReview = (mark: unknown) =>
  typeof mark === 'object' && mark !== null && 'effect' in mark && mark.effect === 'review';
