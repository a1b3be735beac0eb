import type { Reason } from 'whorl/wire';
import type { Detector } from '../facts.js';
import { blocked, disposableEmail, selfReferral, velocity } from './abuse.js';
import { concurrency, limitExceeded, multipleAccounts } from './account-sharing.js';
import { newDevice, newIp, unprovenDevice, unreadableFingerprint } from './device-and-address.js';
import { credentialStuffing, passwordGuessing } from './failures.js';
import { automation, declaredAgent, tampering } from './integrity.js';
import { anonymousNetwork, impossibleTravel, newCountry } from './places.js';

/** Detector of each reason except `high_risk`, which rests on the findings of the others. */
export const detectors: Readonly<Record<Exclude<Reason, 'high_risk'>, Detector>> = {
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
  blocked,
};
