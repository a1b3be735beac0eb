import type { ReasonRule } from '../reason.js';
import { strengthOf } from '../strength.js';

/**
 * The device or the address is one of the referrer's. If only the address is, the finding has no strength, because it
 * says nothing about the device.
 */
export const selfReferral: ReasonRule<'self_referral'> = {
  name: 'self_referral',
  words: {
    title: 'Self-referral',
    explanation: 'The device or IP address belongs to the user who referred this one.',
    toVisitor: 'this device belongs to the referrer',
    raisedWhen: "the device or the address is one of the referrer's (`metadata.referrer`)",
  },
  policy: {
    login: ['off'],
    signup: ['report', { effect: 'restrict', strength: 'corroborated' }],
    referral: ['report', { effect: 'restrict', strength: 'corroborated' }, { effect: 'deny', strength: 'proven' }],
  },
  traits: ['denies_with_proof', 'reported_with_test_key'],
  detect: (facts) => {
    const { referrer } = facts;
    if (!referrer) return undefined;
    const isSameDevice = referrer.sameDevice || referrer.sameKey;
    if (!isSameDevice && !referrer.sameAddress) return undefined;
    return {
      ...(isSameDevice && { strength: strengthOf(referrer, facts) }),
      evidence: {
        same_device: referrer.sameDevice,
        same_address: referrer.sameAddress,
        same_contact: referrer.sameContact,
        same_key: referrer.sameKey,
      },
    };
  },
};
