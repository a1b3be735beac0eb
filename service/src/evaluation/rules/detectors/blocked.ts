import { isListed } from '../../../addresses/address-list.js';
import type { Detector } from '../finding.js';

/** The customer refuses this user's device, the user, or the address. */
export const blocked: Detector = ({ device, user, address, settings }) => {
  const found = [
    device?.status === 'blocked' && 'device',
    user.status === 'suspended' && 'user',
    address !== undefined && isListed(address.ip, settings.blocked_addresses) && 'address',
  ].filter((name) => name !== false);
  return found.length === 0 ? undefined : { reason: 'blocked', evidence: { blocked: found } };
};
