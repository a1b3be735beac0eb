import { isDeepStrictEqual } from 'node:util';
import type { Reason } from 'whorl/wire';
import { type Decision, effects, excuses } from '../../ground/vocabulary.js';
import { excuseLearned } from './custom-rules.js';
import { type EnforcedEffect, excuseAll, type PolicyDecision } from './decision.js';
import type { RuleBasis } from './rule-basis.js';

/**
 * A decision of the policy: positions in the evaluation's reasons, in `effects` and in `excuses`. What is usual is left
 * out at the end. Evaluations of older versions have names in place of the first two.
 */
export type StoredDecision = readonly [
  reason: number | Reason,
  effect: number | EnforcedEffect,
  isOverridden?: number,
  left?: number,
  ...excusedBy: number[],
];

/** Returns decisions of the policy in a short form. */
export function encodeDecisions(
  decisions: readonly PolicyDecision[],
  reasons: readonly Reason[],
): readonly StoredDecision[] {
  return decisions.map(({ reason, effect, overridden, excused }) => {
    const position = reasons.indexOf(reason);
    const basics = [position === -1 ? reason : position, effects.indexOf(effect)] as const;
    const isOverridden = overridden ? 1 : 0;
    if (!excused) return overridden ? [...basics, isOverridden] : basics;
    const excusedBy = excused.by.map((excuse) => excuses.indexOf(excuse));
    return [...basics, isOverridden, effects.indexOf(excused.left), ...excusedBy];
  });
}

/** Returns decisions that were stored in the short form. */
export function decodeDecisions(stored: readonly StoredDecision[], reasons: readonly Reason[]): PolicyDecision[] {
  return stored.flatMap(([which, what, isOverridden = 0, left, ...excusedBy]) => {
    const reason = typeof which === 'number' ? reasons[which] : which;
    const effect = typeof what === 'number' ? effects[what] : what;
    const effectLeft = effects[left ?? -1];
    if (reason === undefined || effect === undefined || effect === 'off' || effect === 'report') return [];
    const by = excusedBy.flatMap((position) => excuses[position] ?? []);
    return {
      reason,
      effect,
      ...(isOverridden === 1 && { overridden: true as const }),
      ...(effectLeft !== undefined && { excused: { by, left: effectLeft } }),
    };
  });
}

/** Returns the decisions to store beside a basis: null if they follow from it. */
export function decisionsBeside(
  basis: RuleBasis | undefined,
  decisions: readonly Decision[],
  isObserved: boolean,
): readonly Decision[] | null {
  return basis && isDeepStrictEqual(decisions, decisionsFrom(basis, isObserved)) ? null : decisions;
}

/** Returns the decisions about an evaluation that no rule matched. */
export function decisionsFrom(
  { decisions, exemptions }: Pick<RuleBasis, 'decisions' | 'exemptions'>,
  isObserved: boolean,
): readonly Decision[] {
  const left = excuseLearned(decisions, exemptions);
  return isObserved ? excuseAll(left, 'observe_mode') : left;
}
