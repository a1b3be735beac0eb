import type { ReasonRule } from '../reason.js';

/** Attaching this device would exceed the user's limits. */
export const limitExceeded: ReasonRule<'limit_exceeded'> = {
  name: 'limit_exceeded',
  words: {
    title: 'Device limit exceeded',
    explanation: 'With this device, the user would have more devices than the project allows.',
    toVisitor: 'the account has too many devices',
    raisedWhen: 'attaching this device would exceed `device_limit`: 5 in total and, if set, a number of each kind',
  },
  policy: { login: ['challenge'], signup: ['off'], referral: ['off'] },
  traits: ['sharing', 'enforced_on_attach'],
  detect: ({ device, attached, settings, request }) => {
    if (device?.status === 'attached') return undefined;
    const kind = device?.kind ?? request.parsed?.descriptor.kind ?? 'unknown';
    const counted = kind === 'unknown' ? (['overall'] as const) : (['overall', kind] as const);
    const exceeded = counted.filter((name) => {
      const limit = settings.device_limit[name];
      return limit !== null && attached[name] + 1 > limit;
    });
    if (exceeded.length === 0) return undefined;
    return { evidence: { kind, exceeded, attached: { ...attached }, limit: { ...settings.device_limit } } };
  },
};
