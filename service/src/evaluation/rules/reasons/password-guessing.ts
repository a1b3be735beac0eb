import { noCounts } from '../../../recognition/velocity/rules/counts.js';
import type { ReasonRule } from '../reason.js';

/** More failures against the user within a day than allowed. This attempt is counted too. */
export const passwordGuessing: ReasonRule<'password_guessing'> = {
  name: 'password_guessing',
  words: {
    title: 'Password guessing',
    explanation: 'More attempts to log in as this user failed today than the project allows.',
    toVisitor: 'too many wrong passwords for this account today',
    raisedWhen: 'more than 10 attempts to act as this user failed within a day (`failures`)',
  },
  policy: { login: ['challenge'], signup: ['off'], referral: ['off'] },
  traits: [],
  detect: ({ velocity, outcome, settings }) => {
    const { per_user } = settings.failures;
    const { failures } = (velocity.user ?? noCounts).day;
    const counted = failures + (outcome === 'failed' ? 1 : 0);
    return counted > per_user ? { evidence: { failures: counted, failures_per_user: per_user } } : undefined;
  },
};
