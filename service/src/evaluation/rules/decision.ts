import type { DecidedBy, EffectiveReason, Excuse, ExcusedReason, RuleEffect, Verdict } from 'whorl/wire';
import { columnOf, type Decision, type Effect } from '../../ground/vocabulary.js';
import { applyExemptions } from './exemptions.js';
import type { Facts, Finding } from './facts.js';
import { cellOf, effectOfCell, isOverridden, strictest, verdictOf, withoutChallenge } from './policy.js';

export type EnforcedEffect = EffectiveReason['effect'];

/** A decision of the policy, without the words of its condition. */
export interface PolicyDecision extends Omit<Decision, 'rule' | 'effect' | 'condition'> {
  readonly effect: EnforcedEffect;
}

/** Returns the policy's decisions about findings, in their order. */
export function decisionsOf(
  findings: readonly Finding[],
  facts: Facts,
): (PolicyDecision & Pick<Decision, 'condition'>)[] {
  const found = findings.map(({ reason }) => reason);
  return findings.flatMap((finding) => {
    const { effect, condition } = effectOfCell(cellOf(finding.reason, facts), finding, found, facts);
    if (!isEnforced(effect)) return [];
    const exempted = applyExemptions(effect, finding, facts);
    return {
      reason: finding.reason,
      effect,
      ...(condition !== undefined && { condition }),
      ...(isOverridden(finding.reason, facts) && { overridden: true as const }),
      ...(exempted.excusedBy.length > 0 && { excused: { by: exempted.excusedBy, left: exempted.effect } }),
    };
  });
}

/** Returns a decision without the words of its condition. */
export function withoutWords<Given extends Pick<Decision, 'condition'>>({
  condition: _condition,
  ...decision
}: Given): Omit<Given, 'condition'> {
  return decision;
}

/** Returns the verdict that results from decisions. */
export function verdictOfDecisions(decisions: readonly Decision[]): Verdict {
  return verdictOf(decisions.map(leftOf));
}

/** Returns decisions of which nothing is enforced, for one more reason. */
export function excuseAll(decisions: readonly Decision[], by: Excuse): Decision[] {
  return decisions.map((decision) => excuse(decision, by, 'report'));
}

/** Returns decisions without their challenges, after the challenge was completed. */
export function withoutChallenges(decisions: readonly Decision[]): Decision[] {
  return decisions.map((decision) => withoutItsChallenge(decision, 'completed_challenge'));
}

/** Returns a decision without its challenge, for one more reason. */
export function withoutItsChallenge(decision: Decision, by: Excuse): Decision {
  return excuse(decision, by, withoutChallenge(leftOf(decision)));
}

/** Returns one decision for each reason: the stricter one, and the first if both are equal. */
export function stricterDecisions(ones: readonly Decision[], others: readonly Decision[]): Decision[] {
  const isStricter = (one: Decision, other: Decision) => strictest([leftOf(one), leftOf(other)]) !== leftOf(other);
  const kept = ones.map((one) => {
    const other = others.find((each) => isSame(each, one));
    return other && isStricter(other, one) ? other : one;
  });
  return [...kept, ...others.filter((other) => !ones.some((one) => isSame(one, other)))];
}

/** Returns decisions in the form of the API. */
export function decidedBy(decisions: readonly Decision[], { action, verdict }: Decided): DecidedBy {
  const effective = decisions.flatMap((decision) => {
    const left = leftOf(decision);
    return isEnforced(left) ? { ...policyOf(decision, action), effect: left } : [];
  });
  const decides = ({ effect }: EffectiveReason) => verdict !== 'deny' || effect === 'deny';
  return {
    reasons: effective.filter(decides),
    outweighed: effective.filter((one) => !decides(one)),
    excused: decisions.flatMap((decision) =>
      decision.excused ? { ...policyOf(decision, action), excused_by: [...decision.excused.by] } : [],
    ),
  };
}

function isSame(one: Decision, other: Decision): boolean {
  return one.reason === other.reason && one.rule === other.rule;
}

interface Decided {
  readonly action: string;
  readonly verdict: Verdict;
}

function policyOf(
  { reason, rule, effect, condition, overridden }: Decision,
  action: string,
): Omit<ExcusedReason, 'excused_by'> {
  return {
    reason,
    effect,
    ...(rule !== undefined && { rule }),
    policy: {
      action: columnOf(action),
      ...(condition !== undefined && { condition }),
      overridden: overridden === true,
    },
  };
}

/** Returns a decision of which less is enforced, for one more reason. */
export function excuse(decision: Decision, by: Excuse, left: Effect): Decision {
  const before = leftOf(decision);
  return before === left ? decision : { ...decision, excused: { by: [...(decision.excused?.by ?? []), by], left } };
}

function leftOf({ effect, excused }: Decision): Effect {
  return excused?.left ?? (enforcesNothing(effect) ? 'report' : effect);
}

/** Effects of rules that leave the verdict to the policy. */
type Mark = 'review' | 'report' | 'tag';

/** Returns whether an effect of a rule leaves the verdict to the policy. */
export function isMark(effect: RuleEffect): effect is Mark {
  return effect === 'review' || effect === 'report' || effect === 'tag';
}

/** Returns whether an effect of a rule enforces nothing. */
function enforcesNothing(effect: RuleEffect): effect is 'allow' | Mark {
  return effect === 'allow' || isMark(effect);
}

function isEnforced(effect: Effect): effect is EnforcedEffect {
  return effect !== 'off' && effect !== 'report';
}
