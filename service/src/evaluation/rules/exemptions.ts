import type { Excuse } from 'whorl/wire';
import type { Effect } from '../../ground/vocabulary.js';
import type { Facts, Finding } from './facts.js';
import { judgedBy } from './judged-by.js';
import { withoutChallenge } from './policy.js';
import { hasTrait } from './reasons/table.js';
import { isExemptFromChallenge, isTrustedDevice } from './trust.js';

/** Returns a milder effect, or the same one. */
type Exemption = (effect: Effect, finding: Finding, facts: Facts) => Effect;

/**
 * Rules that override the policy table, including a project's changes to it. Each can only make an effect milder, so
 * their order does not matter.
 */
const exemptions: readonly (readonly [Excuse, Exemption])[] = [
  ['trust', onTrustedDevice],
  ['address_change', atExcusedAddress],
  ['allow_entry', onAllowList],
  ['completed_challenge', afterChallenge],
  ['weak_evidence', onWeakEvidence],
  ['risk_score', underRisk],
  ['takeover_protection_off', withoutProtection],
  ['test_key', withTestKey],
];

/** Effect after all exemptions. */
export interface Exempted {
  readonly effect: Effect;
  /** Each exemption that makes the effect milder on its own. */
  readonly excusedBy: readonly Excuse[];
}

/** Returns the effect after all exemptions, and which of them apply. */
export function applyExemptions(effect: Effect, finding: Finding, facts: Facts): Exempted {
  return {
    effect: exemptions.reduce((left, [, exemption]) => exemption(left, finding, facts), effect),
    excusedBy: exemptions.filter(([, exemption]) => exemption(effect, finding, facts) !== effect).map(([name]) => name),
  };
}

/** An entry that allows enforces nothing but blocks. */
function onAllowList(effect: Effect, { reason }: Finding, facts: Facts): Effect {
  return reason !== 'blocked' && isAllowed(facts) ? 'report' : effect;
}

/** Returns whether an entry of a list allows. An address that many people may share allows nobody. */
export function isAllowed({ lists, address }: Facts): boolean {
  return lists.some((hit) => hit.effect === 'allow' && !(hit.kind === 'address' && address?.isShared));
}

function withoutProtection(effect: Effect, { reason }: Finding, { settings }: Facts): Effect {
  return !settings.account_takeover_protection && hasTrait(reason, 'takeover') ? 'report' : effect;
}

function underRisk(effect: Effect, { reason }: Finding, facts: Facts): Effect {
  return hasTrait(reason, 'replaced_by_score') && judgedBy(facts) === 'risk' ? 'report' : effect;
}

function withTestKey(effect: Effect, { reason }: Finding, { isTest, settings }: Facts): Effect {
  return hasTrait(reason, 'reported_with_test_key') && isTest && !settings.enforce_for_test_keys ? 'report' : effect;
}

/**
 * A fingerprint alone is only reported. A shared device leads to `deny` only with proven evidence; an address or a
 * score alone never does.
 */
function onWeakEvidence(effect: Effect, { reason, strength }: Finding): Effect {
  if (strength === 'fingerprint') return 'report';
  const needsProof = hasTrait(reason, 'denies_with_proof');
  return effect === 'deny' && needsProof && strength !== 'proven' ? 'challenge_and_restrict' : effect;
}

/** A trusted device may change its address if it proves its key, is whitelisted, or the project allows it for all. */
function atExcusedAddress(effect: Effect, { reason }: Finding, facts: Facts): Effect {
  if (reason !== 'new_ip' || !isTrustedDevice(facts)) return effect;
  const { device, settings } = facts;
  const isExcused = device?.proof === 'valid' || device?.whitelisted || settings.address_change === 'allow';
  return isExcused ? 'report' : effect;
}

/** The trust invariant: a trusted device is never challenged, whatever the findings are. It can still be denied. */
function onTrustedDevice(effect: Effect, _finding: Finding, facts: Facts): Effect {
  return isExemptFromChallenge(facts) ? withoutChallenge(effect) : effect;
}

/** A challenge that was completed for the action counts once: not every browser becomes a trusted device. */
function afterChallenge(effect: Effect, _finding: Finding, { challengePassed }: Facts): Effect {
  return challengePassed === undefined ? effect : withoutChallenge(effect);
}
