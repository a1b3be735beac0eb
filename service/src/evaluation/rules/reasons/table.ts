import { type Reason, reasons } from 'whorl/wire';
import type { ReasonRule, Trait } from '../reason.js';
import { accountCompromised } from './account-compromised.js';
import { anonymousNetwork } from './anonymous-network.js';
import { automation } from './automation.js';
import { blocked } from './blocked.js';
import { concurrency } from './concurrency.js';
import { credentialStuffing } from './credential-stuffing.js';
import { declaredAgent } from './declared-agent.js';
import { disposableEmail } from './disposable-email.js';
import { highRisk } from './high-risk.js';
import { impossibleTravel } from './impossible-travel.js';
import { limitExceeded } from './limit-exceeded.js';
import { list } from './list.js';
import { multipleAccounts } from './multiple-accounts.js';
import { newCountry } from './new-country.js';
import { newDevice } from './new-device.js';
import { newIp } from './new-ip.js';
import { passwordGuessing } from './password-guessing.js';
import { rule } from './rule.js';
import { selfReferral } from './self-referral.js';
import { tampering } from './tampering.js';
import { unprovenDevice } from './unproven-device.js';
import { unreadableFingerprint } from './unreadable-fingerprint.js';
import { velocity } from './velocity.js';

/** The rule of each reason. */
export const reasonRules: Readonly<Record<Reason, ReasonRule>> = {
  new_device: newDevice,
  new_ip: newIp,
  unproven_device: unprovenDevice,
  impossible_travel: impossibleTravel,
  new_country: newCountry,
  anonymous_network: anonymousNetwork,
  limit_exceeded: limitExceeded,
  concurrency,
  multiple_accounts: multipleAccounts,
  self_referral: selfReferral,
  velocity,
  password_guessing: passwordGuessing,
  credential_stuffing: credentialStuffing,
  disposable_email: disposableEmail,
  automation,
  declared_agent: declaredAgent,
  tampering,
  unreadable_fingerprint: unreadableFingerprint,
  high_risk: highRisk,
  account_compromised: accountCompromised,
  blocked,
  list,
  rule,
} satisfies { readonly [Name in Reason]: ReasonRule<Name> };

/** The rules of all reasons, in order. */
export const orderedRules: readonly ReasonRule[] = reasons.map((name) => reasonRules[name]);

/** Returns whether a reason has a trait. */
export function hasTrait(reason: Reason, trait: Trait): boolean {
  return reasonRules[reason].traits.includes(trait);
}
