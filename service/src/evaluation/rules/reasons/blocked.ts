import type { ReasonRule } from '../reason.js';

/** The customer has blocked the device, suspended the user, or listed what the evaluation comes from. */
export const blocked: ReasonRule<'blocked'> = {
  name: 'blocked',
  words: {
    title: 'Blocked',
    explanation: 'The device or the user is blocked, or an entry of a list blocks this.',
    toVisitor: 'the device, the account or the address is blocked',
    raisedWhen:
      "this user's device is blocked, the user is suspended, or an entry of a [list](lists.md) with the effect `block` applies",
  },
  policy: { login: ['deny'], signup: ['deny'], referral: ['deny'] },
  traits: ['enforced_on_attach'],
  detect: ({ device, user, lists }) => {
    const entries = lists.filter(({ effect }) => effect === 'block');
    const found = [
      ...(device?.status === 'blocked' ? ['device'] : []),
      ...(user.status === 'suspended' ? ['user'] : []),
      ...entries.map(({ kind }) => kind),
    ];
    if (found.length === 0) return undefined;
    return {
      evidence: {
        blocked: [...new Set(found)],
        ...(entries.length > 0 && { entries: entries.map((entry) => ({ ...entry })) }),
      },
    };
  },
};
