import type { Excuse } from 'whorl/wire';
import type { Decision } from '../../ground/vocabulary.js';
import { noCounts } from '../../recognition/velocity/rules/counts.js';
import { bindFacts } from '../../resources/projects/rules/conditions/condition.js';
import type { FactValues } from '../../resources/projects/rules/conditions/facts.js';
import { conditionOf, type Rule } from '../../resources/projects/rules/conditions/rule.js';
import { excuse, withoutItsChallenge } from './decision.js';
import { isAllowed } from './exemptions.js';
import type { Facts, Finding } from './facts.js';
import type { Risk } from './risk/contribution.js';
import { isExemptFromChallenge, isKnownDevice, isTrustedDevice } from './trust.js';

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

/**
 * Returns the project's rules that match. Claims have none: their verdict must not depend on what is stored about the user, and
 * consuming them judges with everything.
 */
export function matchRules(facts: Facts, found: readonly Finding[], risk: Risk | undefined): RuleMatches {
  const { settings, action } = facts;
  const rules = facts.isTrustedCaller
    ? settings.rules.filter(
        ({ state, actions }) => state !== 'off' && (actions.length === 0 || actions.includes(action)),
      )
    : [];
  if (rules.length === 0) return noMatches;
  const bound = bindFacts(valuesOf(facts, found, risk));
  const results = rules.map((rule) => ({ rule, result: conditionOf(rule)(bound) }));
  const those = (is: (each: (typeof results)[number]) => boolean) => results.filter(is).map(({ rule }) => rule);
  return {
    matched: those(({ rule, result }) => result === 'matched' && rule.state === 'on'),
    shadowed: those(({ rule, result }) => result === 'matched' && rule.state === 'shadow'),
    failed: those(({ result }) => result === 'failed'),
  };
}

/** Returns the finding that names the rules that match; none if none does. */
export function findingOfRules({ matched }: RuleMatches): Finding[] {
  const rules = matched.map(({ name, effect }) => ({ name, effect }));
  return rules.length === 0 ? [] : [{ reason: 'rule', evidence: { rules } }];
}

/**
 * Returns the decisions after rules. The first rule with a verdict decides in place of the policy, which then enforces only
 * blocks.
 */
export function applyRules(matches: RuleMatches, byPolicy: readonly Decision[], facts: Facts): Decision[] {
  const deciding = decidingRule(matches);
  const isReplaced = ({ reason }: Decision) => deciding !== undefined && reason !== 'blocked';
  return [
    ...byPolicy.map((decision) => (isReplaced(decision) ? excuse(decision, 'rule', 'report') : decision)),
    ...(deciding ? decisionOfRule(deciding, facts) : []),
    ...matches.shadowed.map((rule) => unenforced(rule, 'shadow')),
    ...matches.failed.map((rule) => unenforced(rule, 'rule_failed')),
  ];
}

/** Returns the first rule that decides: one with a verdict. */
export function decidingRule({ matched }: RuleMatches): Rule | undefined {
  return matched.find(({ effect }) => effect !== 'review' && effect !== 'report');
}

/** Returns how a rule decides. One that allows enforces nothing. */
function decisionOfRule({ name, effect }: Rule, facts: Facts): Decision[] {
  if (effect === 'allow') return [];
  const decision: Decision = { reason: 'rule', rule: name, effect };
  return [ruleExemptions.reduce((left, exempt) => exempt(left, facts), decision)];
}

function unenforced({ name, effect }: Rule, by: Excuse): Decision {
  return { reason: 'rule', rule: name, effect, excused: { by: [by], left: 'report' } };
}

/** What makes the decision of a rule milder, as it does for reasons. */
const ruleExemptions: readonly ((decision: Decision, facts: Facts) => Decision)[] = [
  (decision, facts) => (isAllowed(facts) ? excuse(decision, 'allow_entry', 'report') : decision),
  // The trust invariant protects logins. Any other action may ask again, for example each payout above an amount.
  (decision, facts) =>
    facts.action === 'login' && isExemptFromChallenge(facts) ? withoutItsChallenge(decision, 'trust') : decision,
  (decision, facts) =>
    facts.challengePassed === undefined ? decision : withoutItsChallenge(decision, 'completed_challenge'),
];

/** Returns the values of all facts of conditions. */
function valuesOf(facts: Facts, found: readonly Finding[], risk: Risk | undefined): FactValues {
  const { device, address, match, velocity, request, now } = facts;
  const { user, device: ofDevice, address: ofAddress } = velocity;
  const [byUser, byDevice, byAddress] = [user, ofDevice, ofAddress].map((counts) => (counts ?? noCounts).day);
  const descriptor = request.parsed?.descriptor;
  return {
    action: facts.action,
    outcome: facts.outcome,
    metadata: request.metadata,
    reasons: found.map(({ reason }) => reason),
    'user.id': facts.user.externalId,
    'user.is_new': !facts.user.exists,
    'user.evaluations_today': byUser?.evaluations ?? 0,
    'user.failures_today': byUser?.failures ?? 0,
    'user.devices_today': byUser?.devices ?? 0,
    'user.countries_today': byUser?.countries ?? 0,
    'device.is_new': !isKnownDevice(facts),
    'device.is_trusted': isTrustedDevice(facts),
    'device.is_proven': device?.proof === 'valid',
    'device.kind': descriptor?.kind ?? 'unknown',
    'device.os': descriptor?.os ?? 'unknown',
    'device.browser': descriptor?.browser ?? 'unknown',
    'device.matched_by': match.matchedBy,
    'device.other_users': facts.others.length,
    'device.users_today': byDevice?.users ?? 0,
    'address.ip': address?.ip ?? '',
    'address.is_trusted': address?.trusted ?? false,
    'address.country': address?.info?.country ?? '',
    'address.asn': address?.info?.asn ?? 0,
    'address.organisation': address?.info?.organisation ?? '',
    'address.kind': address?.info?.kind ?? '',
    'address.users_today': byAddress?.users ?? 0,
    'address.failures_today': byAddress?.failures ?? 0,
    'address.signups_today': byAddress?.signups ?? 0,
    'email.domain': request.email?.split('@').at(-1) ?? '',
    'risk.score': risk?.score ?? 0,
    'time.hour': now.getUTCHours(),
    'time.weekday': now.getUTCDay() || 7,
  };
}
