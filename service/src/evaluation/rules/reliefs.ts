import type { Reason } from 'whorl/wire';
import { isListed } from '../../addresses/address-list.js';
import { withoutChallenge } from './effect.js';
import type { Facts, Finding } from './facts.js';
import { isBeyondChallenge, isTrustedDevice } from './trust.js';
import type { Effect } from './vocabulary.js';

/** Makes an effect milder, or leaves it as it is. */
type Relief = (effect: Effect, finding: Finding, facts: Facts) => Effect;

const ofAccountTakeover: readonly Reason[] = ['new_device', 'new_ip', 'unproven_device'];
const ofSharedDevices: readonly Reason[] = ['multiple_accounts', 'self_referral', 'velocity'];

/**
 * What stands above the policy table, and above what a project sets in it. Each can only make an effect milder, so their
 * order does not matter.
 */
const reliefs: readonly Relief[] = [
  onAllowList,
  withoutProtection,
  withTestKey,
  onWeakEvidence,
  atExcusedAddress,
  onTrustedDevice,
];

/** The effect that is left of what the policy table says. */
export function relieve(effect: Effect, finding: Finding, facts: Facts): Effect {
  return reliefs.reduce((left, relief) => relief(left, finding, facts), effect);
}

function onAllowList(effect: Effect, { reason }: Finding, { settings, address, user }: Facts): Effect {
  if (reason === 'blocked') return effect;
  const isAllowed =
    settings.allowed_users.includes(user.externalId) ||
    (address !== undefined && !address.isShared && isListed(address.ip, settings.allowed_addresses));
  return isAllowed ? 'report' : effect;
}

function withoutProtection(effect: Effect, { reason }: Finding, { settings }: Facts): Effect {
  return !settings.account_takeover_protection && ofAccountTakeover.includes(reason) ? 'report' : effect;
}

function withTestKey(effect: Effect, { reason }: Finding, { isTest, settings }: Facts): Effect {
  return reason === 'automation' && isTest && !settings.enforce_automation_for_test_keys ? 'report' : effect;
}

/** A fingerprint alone is only reported; that a device is shared denies only with proof; an address alone never does. */
function onWeakEvidence(effect: Effect, { reason, strength }: Finding): Effect {
  if (strength === 'fingerprint') return 'report';
  const isAboutSharing = ofSharedDevices.includes(reason) || reason === 'new_ip';
  return effect === 'deny' && isAboutSharing && strength !== 'proven' ? 'challenge_and_restrict' : effect;
}

/** A trusted device may change its address with its key, or where the customer says so: of it, or of all. */
function atExcusedAddress(effect: Effect, { reason }: Finding, facts: Facts): Effect {
  if (reason !== 'new_ip' || !isTrustedDevice(facts)) return effect;
  const { device, settings } = facts;
  const isExcused = device?.proof === 'valid' || device?.whitelisted || settings.address_change === 'allow';
  return isExcused ? 'report' : effect;
}

/** The law of trust: no challenge, whatever else is noticed; denial stays. */
function onTrustedDevice(effect: Effect, _finding: Finding, facts: Facts): Effect {
  return isBeyondChallenge(facts) ? withoutChallenge(effect) : effect;
}
