import type { Reason } from 'whorl/wire';
import type { Detector } from '../finding.js';
import { automation } from './automation.js';
import { blocked } from './blocked.js';
import { concurrency } from './concurrency.js';
import { disposableEmail } from './disposable-email.js';
import { limitExceeded } from './limit-exceeded.js';
import { multipleAccounts } from './multiple-accounts.js';
import { newDevice } from './new-device.js';
import { newIp } from './new-ip.js';
import { selfReferral } from './self-referral.js';
import { tampering } from './tampering.js';
import { unprovenDevice } from './unproven-device.js';
import { unreadableFingerprint } from './unreadable-fingerprint.js';
import { velocity } from './velocity.js';

/** What notices each reason. */
export const detectors: Readonly<Record<Reason, Detector>> = {
  new_device: newDevice,
  new_ip: newIp,
  unproven_device: unprovenDevice,
  limit_exceeded: limitExceeded,
  concurrency,
  multiple_accounts: multipleAccounts,
  self_referral: selfReferral,
  velocity,
  disposable_email: disposableEmail,
  automation,
  tampering,
  unreadable_fingerprint: unreadableFingerprint,
  blocked,
};
