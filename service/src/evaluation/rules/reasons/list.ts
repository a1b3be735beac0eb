import type { ReasonRule } from '../reason.js';

/** An entry of the project's lists allows, or asks for a review. An entry that blocks raises `blocked`. */
export const list: ReasonRule<'list'> = {
  name: 'list',
  words: {
    title: 'Entry of a list',
    explanation: 'An entry of a list allows this, or marks it for a review.',
    toVisitor: 'the user, the device or the address is on a list',
    raisedWhen: 'an entry of a [list](lists.md) with the effect `allow` or `review` applies',
  },
  policy: { login: ['report'], signup: ['report'], referral: ['report'] },
  traits: ['learned'],
  detect: ({ lists }) => {
    const entries = lists.filter(({ effect }) => effect !== 'block');
    return entries.length === 0 ? undefined : { evidence: { entries: entries.map((entry) => ({ ...entry })) } };
  },
};
