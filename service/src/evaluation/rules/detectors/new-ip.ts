import type { Detector } from '../finding.js';
import { isTrustedDevice } from '../trust.js';

/** The address is not trusted for this user. Nothing is noticed where no address is known. */
export const newIp: Detector = (facts) => {
  if (facts.address === undefined || facts.address.trusted) return undefined;
  return {
    reason: 'new_ip',
    evidence: { device_trusted: isTrustedDevice(facts), proof: facts.device?.proof ?? 'none' },
  };
};
