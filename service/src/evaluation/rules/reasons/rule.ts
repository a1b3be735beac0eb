import type { ReasonRule } from '../reason.js';

/** A rule of the project matches. `judge.ts` adds the finding, because rules can read which other reasons were found. */
export const rule: ReasonRule<'rule'> = {
  name: 'rule',
  words: {
    title: 'Rule of the project',
    explanation: 'A rule of the project matches.',
    toVisitor: 'a rule of this shop applies',
    raisedWhen: 'a [rule](rules.md) of the project matches',
  },
  policy: { login: ['report'], signup: ['report'], referral: ['report'] },
  traits: ['learned'],
  detect: () => undefined,
};
