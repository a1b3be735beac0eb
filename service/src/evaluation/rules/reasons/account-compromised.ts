import { compromisedDays } from '../../../resources/users/rules/compromised.js';
import type { Cell, ReasonRule } from '../reason.js';

/** The session of an attacker may still exist, so other actions than these are restricted as well. */
const challenges: Cell = ['challenge', { effect: 'challenge_and_restrict', otherThan: ['login', 'password_reset'] }];

/** The user said of a device or a change that it was not theirs, and has not reset the password since. */
export const accountCompromised: ReasonRule<'account_compromised'> = {
  name: 'account_compromised',
  words: {
    title: 'Account compromised',
    explanation:
      'The user did not recognise a device or a change of the account, and has not reset the password since.',
    toVisitor: 'a device of this account was reported as unknown, and its password was not reset since',
    raisedWhen:
      `the user said "This was not me" of a device or a change within ${compromisedDays} days, and no \`password_reset\` ` +
      'was allowed since',
  },
  policy: { login: challenges, signup: ['challenge_and_restrict'], referral: ['challenge_and_restrict'] },
  traits: ['takeover', 'enforced_on_attach'],
  detect: ({ user: { disownedAt } }) => disownedAt && { evidence: { disowned_at: disownedAt.toISOString() } },
};
