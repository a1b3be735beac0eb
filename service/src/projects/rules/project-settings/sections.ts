import { type SettingName, settingNames } from './fields.js';

/** Settings that are looked at, and saved, together. */
export interface SettingSection {
  /** In addresses. */
  readonly id: string;
  readonly title: string;
  /** What it is about, with names in backticks. */
  readonly about: string;
  readonly settings: readonly SettingName[];
}

/** Of the section that should not be needed. */
export const restId = 'more';

/** Where each setting stands, on the dashboard and in docs/settings.md. */
const named: readonly SettingSection[] = [
  {
    id: 'rolling-out',
    title: 'Rolling out',
    about: 'Whether verdicts count yet, and how the first days go.',
    settings: ['mode', 'learning_days'],
  },
  {
    id: 'protection',
    title: 'Account takeover',
    about: 'Whether somebody who has the password, but not the device, needs a code.',
    settings: ['account_takeover_protection', 'address_change', 'address_trust_days'],
  },
  {
    id: 'sharing',
    title: 'Account sharing',
    about: 'How many devices an account may have, and how many at once.',
    settings: ['device_limit', 'concurrency', 'auto_detach_days', 'admin_email'],
  },
  {
    id: 'accounts',
    title: 'Multiple and fake accounts',
    about: 'What is unusual for a signup, a referral or a login by a program.',
    settings: ['velocity', 'rare_crowd', 'enforce_automation_for_test_keys'],
  },
  {
    id: 'policy',
    title: 'Policy',
    about: 'What each reason does to each action. The strictest one counts.',
    settings: ['policy'],
  },
  {
    id: 'lists',
    title: 'Origins and lists',
    about: 'From where pages may ask, and who is denied or let through whatever is noticed.',
    settings: ['allowed_origins', 'blocked_addresses', 'allowed_addresses', 'allowed_users'],
  },
  {
    id: 'challenges',
    title: 'Challenges',
    about: 'How long a challenge is open, how many codes are sent and where to, and who shows the page for them.',
    settings: [
      'challenge_lifetime_hours',
      'daily_code_limit',
      'default_country',
      'managed_challenge_page',
      'challenge_page',
    ],
  },
  {
    id: 'limits',
    title: 'Rates and retention',
    about: 'How much a key may ask, and how long things are kept.',
    settings: ['rate_limits', 'claim_limits', 'retention_days'],
  },
];

/** All sections. A setting that stands in none is in a last one, so that it can be changed all the same. */
export const settingSections: readonly SettingSection[] = [...named, ...restOf(named)];

function restOf(sections: readonly SettingSection[]): SettingSection[] {
  const placed = new Set(sections.flatMap(({ settings }) => settings));
  const settings = settingNames.filter((name) => !placed.has(name));
  return settings.length > 0 ? [{ id: restId, title: 'More', about: '', settings }] : [];
}
