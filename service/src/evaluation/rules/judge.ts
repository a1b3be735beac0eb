import { reasons, type Verdict } from 'whorl/wire';
import { dayMs } from '../../ground/time.js';
import type { Decision } from '../../ground/vocabulary.js';
import type { FactValues } from '../../resources/projects/rules/conditions/facts.js';
import {
  applyRules,
  decidingRule,
  findingOfRules,
  matchRules,
  noMatches,
  type RuleExemptions,
  type RuleMatches,
  tagsOf,
} from './custom-rules.js';
import { decisionsOf, excuseAll, verdictOfDecisions, withoutWords } from './decision.js';
import { isAllowed } from './exemptions.js';
import { valuesOf } from './fact-values.js';
import type { Facts, Finding } from './facts.js';
import { isRaised } from './policy.js';
import { findingOf, type ReasonRule } from './reason.js';
import { hasTrait, orderedRules } from './reasons/table.js';
import type { Risk, Scored } from './risk/contribution.js';
import { scoreOf } from './risk/risk.js';
import type { RuleBasis } from './rule-basis.js';
import { isExemptFromChallenge } from './trust.js';

/** Result of judging an evaluation. */
export interface Judgement {
  readonly verdict: Verdict;
  /** In observe mode, the verdict that enforce mode would have returned. */
  readonly observedVerdict?: Verdict;
  /** In observe mode, the verdict that enforce mode would have returned with the other value of `judge_by`. */
  readonly alternativeVerdict?: Verdict;
  /** Undefined for a publishable key. */
  readonly risk?: Risk;
  /** All findings, in the order of the policy table, whether or not they changed the verdict. */
  readonly findings: readonly Finding[];
  /** How findings changed the verdict, or why they did not. */
  readonly decisions: readonly Decision[];
  /** Tags of rules. */
  readonly tags: readonly string[];
  /** Undefined for a publishable key, for which rules decide nothing. */
  readonly basis?: RuleBasis;
  /** Whether the device is trusted from now on. Never true for a publishable key or a failed attempt. */
  readonly trustsFirstDevice: boolean;
  /** Whether the address is trusted from now on. */
  readonly trustsAddress: boolean;
}

const rulesByScore = orderedRules.filter(({ name }) => hasTrait(name, 'by_score'));
const rulesBeforeScore = orderedRules.filter(({ name }) => !hasTrait(name, 'by_score'));

/** Judges an evaluation. Pure: the same facts give the same judgement. */
export function judge(facts: Facts): Judgement {
  const detected = detect(facts);
  const { findings, risk, matches } = detected;
  const { verdict, isLearned, decisions, basis } = decide(detected, facts);
  const isFirstOfNewAccount = verdict === 'allow' && facts.action === 'signup' && !facts.user.exists;
  // A fingerprint that matches nothing could never use its trust, and anyone could send it.
  const mayTrust = facts.isTrustedCaller && facts.request.isReadable && facts.outcome === 'succeeded';
  const trustsFirstDevice = mayTrust && (isLearned || isFirstOfNewAccount);
  const trustsAddress = trustsFirstDevice && facts.address !== undefined;
  const parts = { ...(risk && { risk }), ...(basis && { basis }) };
  const judgement = { verdict, findings, decisions, tags: tagsOf(matches), ...parts, trustsFirstDevice, trustsAddress };
  if (facts.settings.mode !== 'observe') return judgement;
  return {
    ...judgement,
    verdict: 'allow',
    observedVerdict: verdict,
    alternativeVerdict: enforcedVerdict(judgedOtherwise(facts)),
    decisions: excuseAll(decisions, 'observe_mode'),
  };
}

interface Detected {
  readonly findings: readonly Finding[];
  readonly risk: Risk | undefined;
  readonly matches: RuleMatches;
  readonly values: FactValues | undefined;
}

/** Returns the findings, without reasons that the policy turns off for the action, the risk, and the rules that match. */
function detect(facts: Facts): Detected {
  const find = (rules: readonly ReasonRule[], scored?: Scored) =>
    rules.filter(({ name }) => isRaised(name, facts)).flatMap((rule) => findingOf(rule, facts, scored) ?? []);
  const first = find(rulesBeforeScore);
  const scored = scoreOf(facts, first);
  const risk = scored?.risk;
  const last = find(rulesByScore, scored);
  const order = (finding: Finding) => reasons.indexOf(finding.reason);
  const findings = [...first, ...last].sort((one, other) => order(one) - order(other));
  // The verdict of a claim must not depend on what is stored about the user. Consuming it judges with everything.
  const values = facts.isTrustedCaller ? valuesOf(facts, findings, risk) : undefined;
  const matches = values && isRaised('rule', facts) ? matchRules(facts.settings.rules, values) : noMatches;
  return { findings: [...findings, ...findingOfRules(matches)], risk, matches, values };
}

/** Returns the verdict of enforce mode, and whether it is milder because the project still learns. */
function decide({ findings, matches, values }: Detected, facts: Facts) {
  const byPolicy = decisionsOf(findings, facts);
  const exemptions = exemptionsOf(findings, facts);
  const decisions = applyRules(matches, byPolicy, { action: facts.action, exemptions });
  return {
    verdict: verdictOfDecisions(decisions),
    isLearned: exemptions.isLearning && !decidingRule(matches),
    decisions,
    basis: values && {
      values,
      decisions: byPolicy.filter(({ reason }) => reason !== 'rule').map(withoutWords),
      exemptions,
      claimed: 'allow' as const,
    },
  };
}

function exemptionsOf(findings: readonly Finding[], facts: Facts): RuleExemptions {
  return {
    isAllowed: isAllowed(facts),
    isTrusted: isExemptFromChallenge(facts),
    hasPassedChallenge: facts.challengePassed !== undefined,
    isLearning: isLearning(facts) && findings.every(({ reason }) => hasTrait(reason, 'learned')),
  };
}

/** Returns the verdict of enforce mode. */
function enforcedVerdict(facts: Facts): Verdict {
  return decide(detect(facts), facts).verdict;
}

/** Returns the facts with the other value of `judge_by`, with which `high_risk` is found for other reasons too. */
function judgedOtherwise(facts: Facts): Facts {
  const { settings } = facts;
  return { ...facts, settings: { ...settings, judge_by: settings.judge_by === 'rules' ? 'risk' : 'rules' } };
}

/**
 * Returns whether the project is in its learning period and the user has no devices yet. Such a user may be an old
 * customer who is new only to this service.
 */
function isLearning({ now, project, settings, user }: Facts): boolean {
  // The age is negative if the project was created by a process whose clock is ahead.
  const ageMs = Math.max(0, now.getTime() - project.createdAt.getTime());
  return !user.hasDevices && ageMs < settings.learning_days * dayMs;
}
