import type { Rule } from './rule.js';

/** Rule to start from. It begins in shadow. */
export interface RulePreset {
  /** ID in URLs. */
  readonly id: string;
  /** What it is for: one of the uses in docs/uses.md. */
  readonly use: string;
  readonly rule: Rule;
}

const shadow = { state: 'shadow' } as const;

/** Rules to start from, by what they are for. */
export const rulePresets: readonly RulePreset[] = [
  {
    id: 'payout',
    use: 'Account takeover',
    rule: {
      ...shadow,
      name: 'A code for each payout above 500',
      when: 'metadata.amount > 500',
      effect: 'challenge',
      actions: ['payout'],
    },
  },
  {
    id: 'anonymous-login',
    use: 'Account takeover',
    rule: {
      ...shadow,
      name: 'Logins of new devices through Tor or a proxy',
      when: 'device.is_new && address.kind in ["tor", "proxy"]',
      effect: 'challenge_and_restrict',
      actions: ['login'],
    },
  },
  {
    id: 'sharing',
    use: 'Account sharing',
    rule: {
      ...shadow,
      name: 'Accounts with many devices or countries in a day',
      when: 'user.devices_today > 4 || user.countries_today > 2',
      effect: 'review',
      actions: ['login'],
    },
  },
  {
    id: 'many-accounts',
    use: 'Multiple accounts',
    rule: {
      ...shadow,
      name: 'Sign-ups from a device with other users',
      when: 'device.other_users > 2 || device.users_today > 3',
      effect: 'challenge_and_restrict',
      actions: ['signup'],
    },
  },
  {
    id: 'referral',
    use: 'Referral fraud',
    rule: {
      ...shadow,
      name: 'Referrals between users of one device',
      when: '"self_referral" in reasons || "multiple_accounts" in reasons',
      effect: 'restrict',
      actions: ['referral'],
    },
  },
  {
    id: 'fake-accounts',
    use: 'Fake accounts',
    rule: {
      ...shadow,
      name: 'Many sign-ups from one address in a data centre',
      when: 'address.signups_today > 5 && address.kind == "hosting"',
      effect: 'deny',
      actions: ['signup'],
    },
  },
];
