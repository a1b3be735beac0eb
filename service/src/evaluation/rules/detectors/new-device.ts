import type { Detector } from '../finding.js';
import { isKnownDevice } from '../trust.js';

/** No attached or trusted device of this user matches, or one does whose trust this fingerprint does not inherit. */
export const newDevice: Detector = (facts) => {
  if (isKnownDevice(facts)) return undefined;
  const { device, match } = facts;
  return {
    reason: 'new_device',
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
};
