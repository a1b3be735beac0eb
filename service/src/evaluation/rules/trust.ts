import type { DeviceFacts, Facts } from './facts.js';

/**
 * Whether the device may use the trust that it has: in a variant of its fingerprint that was allowed before, with its
 * key, or at a trusted address. A fingerprint that merely resembles the device's recognises it, and inherits nothing.
 */
export function inheritsTrust({ device, address }: Facts): boolean {
  return device !== undefined && (device.knowsVariant || device.proof === 'valid' || address?.trusted === true);
}

/** Whether the user has this device, attached or trusted: it is not new. */
export function isKnownDevice(facts: Facts): boolean {
  return inheritsTrust(facts) && (facts.device?.status === 'attached' || holdsTrust(facts.device));
}

/** Whether the device is trusted here and now. */
export function isTrustedDevice(facts: Facts): boolean {
  return inheritsTrust(facts) && holdsTrust(facts.device);
}

/**
 * Whether the law holds that a trusted device at a trusted address is not challenged, whatever else is noticed
 * (docs/verdicts.md). A device that the customer trusts for good is trusted at every address. Where no address is known,
 * the device alone decides, unless it lacks the key that it should show.
 */
export function isBeyondChallenge(facts: Facts): boolean {
  if (!isTrustedDevice(facts)) return false;
  if (facts.device?.whitelisted) return true;
  return facts.address ? facts.address.trusted : !lacksKey(facts);
}

/** Whether the device holds a key and came without it, or with another. */
export function lacksKey({ device }: Facts): boolean {
  return device?.hasKeys === true && device.proof !== 'valid';
}

/** Detaching and blocking end trust; being detached for idleness does not. */
function holdsTrust(device: DeviceFacts | undefined): boolean {
  if (!device || device.status === 'blocked') return false;
  if (device.status === 'detached' && !device.autoDetached) return false;
  return device.trusted || device.whitelisted;
}
