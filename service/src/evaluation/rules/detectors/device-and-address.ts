import { unreadable } from 'whorl/fingerprint';
import type { Detector } from '../facts.js';
import { isKnownDevice, isTrustedDevice, lacksKey } from '../trust.js';

/**
 * Detects that no attached or trusted device of this user matches, or that this fingerprint does not inherit the trust
 * of the one that does.
 */
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

/** Detects an address that is not trusted for this user. Finds nothing if no address is known. */
export const newIp: Detector = (facts) => {
  if (facts.address === undefined || facts.address.trusted) return undefined;
  return {
    reason: 'new_ip',
    evidence: { device_trusted: isTrustedDevice(facts), proof: facts.device?.proof ?? 'none' },
  };
};

/** Detects that a device with a key sent no valid proof of it. The evidence names the outcome of an invalid proof. */
export const unprovenDevice: Detector = (facts) => {
  if (!lacksKey(facts)) return undefined;
  const { device, request } = facts;
  const refused = request.proof !== undefined && request.proof !== 'valid' ? { refused: request.proof } : {};
  return { reason: 'unproven_device', evidence: { device_id: device?.id, proof: device?.proof, ...refused } };
};

/** Detects a fingerprint that matches nothing: none at all, a placeholder, or one with too few readable facets. */
export const unreadableFingerprint: Detector = ({ request: { fingerprint, isReadable, parsed } }) => {
  if (isReadable) return undefined;
  return {
    reason: 'unreadable_fingerprint',
    evidence: parsed
      ? { readable_facets: Object.values(parsed.facets).filter((digest) => digest !== unreadable).length }
      : fingerprint === undefined
        ? { missing: true }
        : { placeholder: true },
  };
};
