import type { Facts } from './facts.js';

/**
 * Returns whether nothing connects the attempt with the user that it names: nobody has that name, or the user has no such
 * device and does not trust the address. Honest people seldom make such attempts. Credential
 * stuffing makes hardly any others, however many addresses it uses.
 */
export function isUnfamiliar({ user, device, address }: Pick<Facts, 'user' | 'device' | 'address'>): boolean {
  if (!user.exists) return true;
  const isOwnDevice = device?.status === 'attached' || (device?.status === 'detached' && device.autoDetached);
  return !isOwnDevice && address?.trusted !== true;
}
