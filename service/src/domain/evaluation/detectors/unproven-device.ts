import type { Detector } from '../finding.js';
import { lacksKey } from '../trust.js';

/** A device that holds a key came without it, or with another. */
export const unprovenDevice: Detector = (facts) =>
  lacksKey(facts)
    ? { reason: 'unproven_device', evidence: { device_id: facts.device?.id, proof: facts.device?.proof } }
    : undefined;
