import type { Detector } from '../finding.js';
import { lacksKey } from '../trust.js';

/** A device that holds a key came without it, or with another; or with a proof that is none, which the evidence names. */
export const unprovenDevice: Detector = (facts) => {
  if (!lacksKey(facts)) return undefined;
  const { device, request } = facts;
  const refused = request.proof !== undefined && request.proof !== 'valid' ? { refused: request.proof } : {};
  return { reason: 'unproven_device', evidence: { device_id: device?.id, proof: device?.proof, ...refused } };
};
