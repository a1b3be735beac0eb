import type { ReasonRule } from '../reason.js';
import { isTrustedDevice } from '../trust.js';

/** The address is not trusted for this user. Not raised if no address is known. */
export const newIp: ReasonRule<'new_ip'> = {
  name: 'new_ip',
  words: {
    title: 'New IP address',
    explanation: 'The IP address is not trusted for this user.',
    toVisitor: 'this address is new to the account',
    raisedWhen:
      'the address is not trusted for this user ([when it does not challenge](#a-trusted-device-at-another-address))',
  },
  policy: { login: ['challenge'], signup: ['report'], referral: ['report'] },
  traits: ['takeover', 'replaced_by_score', 'learned', 'denies_with_proof'],
  detect: (facts) => {
    if (facts.address === undefined || facts.address.trusted) return undefined;
    return { evidence: { device_trusted: isTrustedDevice(facts), proof: facts.device?.proof ?? 'none' } };
  },
};
