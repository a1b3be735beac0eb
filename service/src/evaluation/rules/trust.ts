import type { DeviceFacts, Facts } from './facts.js';

/**
 * Returns whether the device's trust applies to this request: with a variant of its fingerprint that was allowed before,
 * with its key, or at a trusted address. A fingerprint that is merely similar identifies the device but does not inherit
 * its trust.
 */
export function inheritsTrust({ device, address }: Facts): boolean {
  return device !== undefined && (device.knowsVariant || device.proof === 'valid' || address?.trusted === true);
}

/** Returns whether this is an attached or trusted device of the user, so that it is not new. */
export function isKnownDevice(facts: Facts): boolean {
  return inheritsTrust(facts) && (facts.device?.status === 'attached' || hasTrust(facts.device));
}

/** Returns whether the device is trusted for this request. */
export function isTrustedDevice(facts: Facts): boolean {
  return inheritsTrust(facts) && hasTrust(facts.device);
}

/**
 * Returns whether the trust invariant applies: a trusted device at a trusted address is not challenged, whatever the
 * findings are (docs/verdicts.md). A whitelisted device is exempt at every address. If no address is known, the device
 * alone decides, unless it has a key and did not prove it.
 */
export function isExemptFromChallenge(facts: Facts): boolean {
  if (!isTrustedDevice(facts)) return false;
  if (facts.device?.whitelisted) return true;
  return facts.address ? facts.address.trusted : !lacksKey(facts);
}

/** Returns whether the device has a key and the request did not prove it. */
export function lacksKey({ device }: Facts): boolean {
  return device?.hasKeys === true && device.proof !== 'valid';
}

/** Detaching and blocking end trust; detaching for inactivity does not. */
function hasTrust(device: DeviceFacts | undefined): boolean {
  if (!device || device.status === 'blocked') return false;
  if (device.status === 'detached' && !device.autoDetached) return false;
  return device.trusted || device.whitelisted;
}
