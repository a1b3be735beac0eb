import type { Detector } from '../finding.js';
import { strengthOf } from '../strength.js';

/**
 * The device or the address is one of the referrer's. Where it is the address alone, nothing is said about a device, and
 * there is no strength.
 */
export const selfReferral: Detector = (facts) => {
  const { referrer } = facts;
  if (!referrer) return undefined;
  const isSameDevice = referrer.sameDevice || referrer.sameKey;
  if (!isSameDevice && !referrer.sameAddress) return undefined;
  return {
    reason: 'self_referral',
    ...(isSameDevice && { strength: strengthOf(referrer, facts) }),
    evidence: {
      same_device: referrer.sameDevice,
      same_address: referrer.sameAddress,
      same_contact: referrer.sameContact,
      same_key: referrer.sameKey,
    },
  };
};
