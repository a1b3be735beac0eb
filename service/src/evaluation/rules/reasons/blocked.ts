import { isListed } from '../../../resources/addresses/addresses.js';
import type { ReasonRule } from '../reason.js';

/** The customer has blocked the device or the address, or suspended the user. */
export const blocked: ReasonRule<'blocked'> = {
  name: 'blocked',
  words: {
    explanation: 'The device, the user or the IP address is blocked.',
    toVisitor: 'the device, the account or the address is blocked',
    raisedWhen: "this user's device is blocked, the user is suspended, or the address is on `blocked_addresses`",
  },
  policy: { login: ['deny'], signup: ['deny'], referral: ['deny'] },
  traits: [],
  detect: ({ device, user, address, settings }) => {
    const found = [
      device?.status === 'blocked' && 'device',
      user.status === 'suspended' && 'user',
      address !== undefined && isListed(address.ip, settings.blocked_addresses) && 'address',
    ].filter((name) => name !== false);
    return found.length === 0 ? undefined : { evidence: { blocked: found } };
  },
};
