import type { Verdict } from 'whorl/wire';
import type { Decision } from '../../ground/vocabulary.js';
import type { FactValues } from '../../resources/projects/rules/conditions/facts.js';
import type { Rule } from '../../resources/projects/rules/conditions/rule.js';
import type { Settings } from '../../resources/projects/rules/settings.js';
import {
  applyRules,
  matchRules,
  noMatches,
  type RuleExemptions,
  type RuleMatches,
  withExemptions,
} from './custom-rules.js';
import { type PolicyDecision, verdictOfDecisions } from './decision.js';
import { cellOf, isRaised, stricterVerdict } from './policy.js';

/** What a verdict depends on besides rules. Stored with the evaluation, so that other rules can be tried on it. */
export interface RuleBasis {
  readonly values: FactValues;
  /** What the policy decides without rules. */
  readonly decisions: readonly PolicyDecision[];
  readonly exemptions: RuleExemptions;
  /** Verdict of the claim that was consumed. The evaluation is no milder. */
  readonly claimed: Verdict;
}

/** What other rules decide. */
export interface TriedVerdict {
  /** Verdict of enforce mode. */
  readonly verdict: Verdict;
  readonly matches: RuleMatches;
}

/** Returns what other rules decide about an evaluation, as `judge` does. */
export function tryRules(
  { values, decisions, exemptions, claimed }: RuleBasis,
  rules: readonly Rule[],
  settings: Settings,
): TriedVerdict {
  const { action } = values;
  const matches = isRaised('rule', { action, settings }) ? matchRules(rules, values) : noMatches;
  const byPolicy =
    matches.matched.length === 0 ? decisions : [...decisions, ...effectOfFinding(action, exemptions, settings)];
  const tried = applyRules(matches, byPolicy, { action, exemptions });
  return { verdict: stricterVerdict(verdictOfDecisions(tried), claimed), matches };
}

/** Returns what the policy says about the reason `rule` itself: a report, unless the project changes it. */
function effectOfFinding(action: string, exemptions: RuleExemptions, settings: Settings): Decision[] {
  const [effect] = cellOf('rule', { action, settings });
  return effect === 'off' || effect === 'report' ? [] : [withExemptions({ reason: 'rule', effect }, exemptions)];
}
