import type { Excuse } from 'whorl/wire';
import type { Decision } from '../../ground/vocabulary.js';
import { bindFacts } from '../../resources/projects/rules/conditions/condition.js';
import type { FactValues } from '../../resources/projects/rules/conditions/facts.js';
import { appliesTo, conditionOf, type Rule } from '../../resources/projects/rules/conditions/rule.js';
import { maxTags } from '../../resources/projects/rules/conditions/tag.js';
import { excuse, excuseAll, isMark, withoutItsChallenge } from './decision.js';
import type { Finding } from './facts.js';

/** Rules of a project that apply to an evaluation. */
export interface RuleMatches {
  /** Rules that are on and match, in their order. */
  readonly matched: readonly Rule[];
  /** Rules in shadow that match. */
  readonly shadowed: readonly Rule[];
  /** Rules whose condition failed. They count as not matched. */
  readonly failed: readonly Rule[];
}

export const noMatches: RuleMatches = { matched: [], shadowed: [], failed: [] };

/** Returns the rules that match. */
export function matchRules(all: readonly Rule[], values: FactValues): RuleMatches {
  const rules = all.filter((rule) => rule.state !== 'off' && appliesTo(rule, values.action));
  if (rules.length === 0) return noMatches;
  const bound = bindFacts(values);
  const results = rules.map((rule) => ({ rule, result: conditionOf(rule).evaluate(bound) }));
  const those = (is: (each: (typeof results)[number]) => boolean) => results.filter(is).map(({ rule }) => rule);
  return {
    matched: those(({ rule, result }) => result === 'matched' && rule.state === 'on'),
    shadowed: those(({ rule, result }) => result === 'matched' && rule.state === 'shadow'),
    failed: those(({ result }) => result === 'failed'),
  };
}

/** Returns the finding that names the rules that match; none if none does. */
export function findingOfRules({ matched }: RuleMatches): Finding[] {
  const rules = matched.map(({ name, effect, tag }) => ({ name, effect, ...(tag !== undefined && { tag }) }));
  return rules.length === 0 ? [] : [{ reason: 'rule', evidence: { rules } }];
}

/** Returns the tags of the rules that match, each once. */
export function tagsOf({ matched }: RuleMatches): string[] {
  return [...new Set(matched.flatMap(({ tag }) => tag ?? []))].slice(0, maxTags);
}

/** Returns tags as a column stores them: null if there are none. */
export function storedTags(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags);
}

/** What makes the decisions of rules milder, as it does for reasons. */
export interface RuleExemptions {
  /** Whether an entry of a list allows. */
  readonly isAllowed: boolean;
  /** Whether the trust invariant applies. */
  readonly isTrusted: boolean;
  readonly hasPassedChallenge: boolean;
  /** Whether the learning days excuse all reasons, unless a rule decides. */
  readonly isLearning: boolean;
}

/** Evaluation that rules decide about. */
export interface RuleSubject {
  readonly action: string;
  readonly exemptions: RuleExemptions;
}

/**
 * Returns the decisions after rules. The first rule with a verdict decides in place of the policy, which then enforces only
 * blocks.
 */
export function applyRules(
  matches: RuleMatches,
  byPolicy: readonly Decision[],
  subject: RuleSubject,
): readonly Decision[] {
  const deciding = decidingRule(matches);
  const unenforced = [
    ...matches.shadowed.map((rule) => unenforcedDecision(rule, 'shadow')),
    ...matches.failed.map((rule) => unenforcedDecision(rule, 'rule_failed')),
  ];
  if (!deciding) return [...excuseLearned(byPolicy, subject.exemptions), ...unenforced];
  return [
    ...byPolicy.map((decision) => (decision.reason === 'blocked' ? decision : excuse(decision, 'rule', 'report'))),
    ...decisionOfRule(deciding, subject),
    ...unenforced,
  ];
}

/** Returns the decisions that are left where no rule decides: none in the learning days. */
export function excuseLearned(
  byPolicy: readonly Decision[],
  { isLearning }: Pick<RuleExemptions, 'isLearning'>,
): readonly Decision[] {
  return isLearning ? excuseAll(byPolicy, 'learning_days') : byPolicy;
}

/** Returns the first rule that decides: one with a verdict. */
export function decidingRule({ matched }: RuleMatches): Rule | undefined {
  return matched.find(({ effect }) => !isMark(effect));
}

/** Returns how a rule decides. One that allows enforces nothing. */
function decisionOfRule({ name, effect }: Rule, { action, exemptions }: RuleSubject): Decision[] {
  if (effect === 'allow') return [];
  // The trust invariant protects logins. Any other action may ask again, for example each payout above an amount.
  const isTrusted = exemptions.isTrusted && action === 'login';
  return [withExemptions({ reason: 'rule', rule: name, effect }, { ...exemptions, isTrusted })];
}

/** Returns a decision after exemptions. */
export function withExemptions(
  decision: Decision,
  { isAllowed, isTrusted, hasPassedChallenge }: Omit<RuleExemptions, 'isLearning'>,
): Decision {
  const allowed = isAllowed ? excuse(decision, 'allow_entry', 'report') : decision;
  const trusted = isTrusted ? withoutItsChallenge(allowed, 'trust') : allowed;
  return hasPassedChallenge ? withoutItsChallenge(trusted, 'completed_challenge') : trusted;
}

function unenforcedDecision({ name, effect }: Rule, by: Excuse): Decision {
  return { reason: 'rule', rule: name, effect, excused: { by: [by], left: 'report' } };
}
