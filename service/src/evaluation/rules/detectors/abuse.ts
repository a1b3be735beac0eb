import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { isListed } from '../../../resources/addresses/addresses.js';
import type { Detector, Facts } from '../facts.js';
import { countOthers, strengthOf } from '../strength.js';

/**
 * Detects that the device or the address is one of the referrer's. If only the address is, the finding has no strength,
 * because it says nothing about the device.
 */
export const selfReferral: Detector = (facts) => {
  const { referrer } = facts;
  if (!referrer) return undefined;
  const isSameDevice = referrer.sameDevice || referrer.sameKey;
  if (!isSameDevice && !referrer.sameAddress) return undefined;
  return {
    reason: 'self_referral',
    ...(isSameDevice && { strength: strengthOf(referrer, facts) }),
    evidence: {
      same_device: referrer.sameDevice,
      same_address: referrer.sameAddress,
      same_contact: referrer.sameContact,
      same_key: referrer.sameKey,
    },
  };
};

/**
 * Detects more users per day than allowed on the device, with evidence beyond the fingerprint, or at the address. This
 * user is counted too.
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

const disposableDomains = disposableEmailBlocklistSet();

/** Detects that the email domain, or a parent domain, is on the list of disposable domains. */
export const disposableEmail: Detector = ({ request }) => {
  const domain = request.email?.split('@').at(-1)?.trim().toLowerCase() ?? '';
  const labels = domain.split('.');
  const found = labels.map((_, index) => labels.slice(index).join('.')).find((name) => disposableDomains.has(name));
  return found === undefined ? undefined : { reason: 'disposable_email', evidence: { domain: found } };
};

/** Detects that the customer has blocked the device or the address, or suspended the user. */
export const blocked: Detector = ({ device, user, address, settings }) => {
  const found = [
    device?.status === 'blocked' && 'device',
    user.status === 'suspended' && 'user',
    address !== undefined && isListed(address.ip, settings.blocked_addresses) && 'address',
  ].filter((name) => name !== false);
  return found.length === 0 ? undefined : { reason: 'blocked', evidence: { blocked: found } };
};
