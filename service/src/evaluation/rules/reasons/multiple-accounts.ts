import type { ReasonRule } from '../reason.js';
import { countOthers } from '../strength.js';

/** Other users were seen on the device. The evidence counts them by minimum strength. */
export const multipleAccounts: ReasonRule<'multiple_accounts'> = {
  name: 'multiple_accounts',
  words: {
    title: 'Multiple accounts',
    explanation: 'Other users have used the same device.',
    toVisitor: 'this device has been used with other accounts',
    raisedWhen: 'other users were seen on this device',
  },
  policy: {
    login: ['report'],
    signup: [
      'report',
      { effect: 'restrict', strength: 'corroborated' },
      { effect: 'deny', strength: 'proven', others: 3 },
    ],
    referral: ['report', { effect: 'restrict', strength: 'corroborated' }, { effect: 'deny', strength: 'proven' }],
  },
  traits: ['denies_with_proof', 'reported_with_test_key'],
  detect: (facts) => {
    if (facts.others.length === 0) return undefined;
    const corroborated = countOthers(facts, 'corroborated');
    const proven = countOthers(facts, 'proven');
    return {
      strength: proven > 0 ? 'proven' : corroborated > 0 ? 'corroborated' : 'fingerprint',
      evidence: { others: { fingerprint: facts.others.length, corroborated, proven } },
    };
  },
};
