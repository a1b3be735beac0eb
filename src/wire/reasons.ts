/** The reasons for a verdict, in the order in which an evaluation lists them (docs/verdicts.md). */
export const reasons = [
  'new_device',
  'new_ip',
  'unproven_device',
  'impossible_travel',
  'new_country',
  'anonymous_network',
  'limit_exceeded',
  'concurrency',
  'multiple_accounts',
  'self_referral',
  'velocity',
  'password_guessing',
  'credential_stuffing',
  'disposable_email',
  'automation',
  'declared_agent',
  'tampering',
  'unreadable_fingerprint',
  'high_risk',
  'account_compromised',
  'blocked',
  'list',
  'rule',
] as const;

/** A reason for a verdict. */
export type Reason = (typeof reasons)[number];
