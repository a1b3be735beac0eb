import type { Facts } from '../facts.js';
import type { ReasonRule } from '../reason.js';
import { countOthers } from '../strength.js';

/**
 * More users per day than allowed came from the device, with evidence beyond the fingerprint, or from the address. This
 * user is counted too.
 */
export const velocity: ReasonRule<'velocity'> = {
  name: 'velocity',
  words: {
    title: 'Too many users',
    explanation: 'More users came from this device or IP address today than the project allows.',
    toVisitor: 'too many accounts from here today',
    raisedWhen:
      'more than 10 users in a day came from this device (corroborated), or more than 30 from this address (`velocity`)',
  },
  policy: { login: ['challenge'], signup: ['restrict'], referral: ['restrict'] },
  traits: ['denies_with_proof', 'reported_with_test_key'],
  detect: (facts) => {
    const { users_per_device, users_per_address } = facts.settings.velocity;
    const today: Facts = { ...facts, others: facts.others.filter((other) => other.today) };
    const onDevice = countOthers(today, 'corroborated') + 1;
    const atAddress = facts.address ? facts.usersAtAddress + 1 : 0;
    const isByDevice = onDevice > users_per_device;
    const isByAddress = atAddress > users_per_address;
    if (!isByDevice && !isByAddress) return undefined;
    const isProven = countOthers(today, 'proven') + 1 > users_per_device;
    return {
      ...(isByDevice && { strength: isProven ? 'proven' : 'corroborated' }),
      evidence: {
        ...(isByDevice && { users_on_device: onDevice, users_per_device }),
        ...(isByAddress && { users_at_address: atAddress, users_per_address }),
      },
    };
  },
};
