import type { Reason } from 'whorl/wire';

/** The actions that the policy has a column for. Any other action is judged as `login`. */
export const columns = ['login', 'signup', 'referral'] as const;

export type Column = (typeof columns)[number];

/** All reasons, in the order in which an evaluation lists them. */
export const reasons = [
  'new_device',
  'new_ip',
  'unproven_device',
  'limit_exceeded',
  'concurrency',
  'multiple_accounts',
  'self_referral',
  'velocity',
  'disposable_email',
  'automation',
  'tampering',
  'unreadable_fingerprint',
  'blocked',
] as const satisfies readonly Reason[];

/** What a reason does: not noticed at all, noticed without a change of the verdict, or one of the stricter verdicts. */
export const effects = ['off', 'report', 'restrict', 'challenge', 'challenge_and_restrict', 'deny'] as const;

export type Effect = (typeof effects)[number];
