import type { ReasonRule } from '../reason.js';
import { isKnownDevice } from '../trust.js';

/**
 * No attached or trusted device of this user matches, or this fingerprint does not inherit the trust of the one that
 * does.
 */
export const newDevice: ReasonRule<'new_device'> = {
  name: 'new_device',
  words: {
    title: 'New device',
    explanation: 'No known device of this user matches, or its trust does not cover this fingerprint.',
    toVisitor: 'this device is new to the account',
    raisedWhen:
      'no attached or trusted device of this user matches, or its trust does not [cover the fingerprint](#trust)',
  },
  policy: { login: ['challenge'], signup: ['report'], referral: ['report'] },
  traits: ['takeover', 'replaced_by_score', 'learned'],
  detect: (facts) => {
    if (isKnownDevice(facts)) return undefined;
    const { device, match } = facts;
    return {
      evidence: {
        matched_by: match.matchedBy,
        confidence: match.confidence,
        changed: [...match.changed],
        ...(device && {
          device_id: device.id,
          device_status: device.status,
          variant_known: device.knowsVariant,
          proof: device.proof,
        }),
      },
    };
  },
};
