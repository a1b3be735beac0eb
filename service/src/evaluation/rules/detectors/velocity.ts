import type { Facts } from '../facts.js';
import type { Detector } from '../finding.js';
import { countOthers } from '../strength.js';

/**
 * More users a day than allowed came from the device, by evidence beyond the fingerprint, or from the address. This
 * user counts too.
 */
export const velocity: Detector = (facts) => {
  const { users_per_device, users_per_address } = facts.settings.velocity;
  const today: Facts = { ...facts, others: facts.others.filter((other) => other.today) };
  const onDevice = countOthers(today, 'corroborated') + 1;
  const atAddress = facts.address ? facts.usersAtAddress + 1 : 0;
  const isByDevice = onDevice > users_per_device;
  const isByAddress = atAddress > users_per_address;
  if (!isByDevice && !isByAddress) return undefined;
  const isProven = countOthers(today, 'proven') + 1 > users_per_device;
  return {
    reason: 'velocity',
    ...(isByDevice && { strength: isProven ? 'proven' : 'corroborated' }),
    evidence: {
      ...(isByDevice && { users_on_device: onDevice, users_per_device }),
      ...(isByAddress && { users_at_address: atAddress, users_per_address }),
    },
  };
};
