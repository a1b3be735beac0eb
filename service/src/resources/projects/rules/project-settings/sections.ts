import { type SettingName, settingNames } from './fields.js';

/** Settings that are shown and saved together. */
export interface SettingSection {
  /** Name in URLs. */
  readonly id: string;
  readonly title: string;
  /** Description, with names in backticks. */
  readonly about: string;
  readonly settings: readonly SettingName[];
  /** Whether the dashboard has a page for it, with its ID as name. Default: the page Settings changes it. */
  readonly hasPage?: true;
  /** Page of the dashboard with more about it, such as secrets that are not settings. Default: none. */
  readonly more?: { readonly page: string; readonly title: string };
}

/** ID of the section for settings that are in no other. */
export const restId = 'more';

/** Sections of settings, on the dashboard and in docs/settings.md. */
const named: readonly SettingSection[] = [
  {
    id: 'rolling-out',
    title: 'Rolling out',
    about: 'Whether verdicts are enforced, and how the first days are handled.',
    settings: ['mode', 'learning_days'],
  },
  {
    id: 'protection',
    title: 'Account takeover',
    about: 'Whether someone with the password but on an unknown device needs a code.',
    settings: ['account_takeover_protection', 'judge_by', 'risk', 'address_change', 'address_trust_days'],
  },
  {
    id: 'failures',
    title: 'Guessed and stolen passwords',
    about: 'Which numbers of failed attempts are unusual.',
    settings: ['failures'],
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
    about: 'Which numbers of users are unusual, and how automated logins are handled.',
    settings: ['velocity', 'rare_fingerprint_share', 'hardware_id', 'enforce_for_test_keys'],
  },
  {
    id: 'policy',
    title: 'Policy',
    about: 'The effect of each reason on each action. The strictest effect applies.',
    settings: ['policy'],
    hasPage: true,
  },
  {
    id: 'review',
    title: 'Review',
    about: 'Which evaluations wait for a person, besides those that were restricted, denied or marked.',
    settings: ['review_score'],
  },
  {
    id: 'rules',
    title: 'Rules',
    about: 'Conditions of your own, which decide before the policy.',
    settings: ['rules'],
    hasPage: true,
  },
  {
    id: 'origins',
    title: 'Origins',
    about: 'Which origins may send requests.',
    settings: ['allowed_origins'],
  },
  {
    id: 'challenges',
    title: 'Challenges',
    about: 'How long challenges stay open, how codes are sent, and who hosts the challenge page.',
    settings: [
      'prefer_own_factor',
      'challenge_lifetime_hours',
      'daily_code_limit',
      'default_country',
      'managed_challenge_page',
      'challenge_page',
    ],
  },
  {
    id: 'mails',
    title: 'Emails to users',
    about: 'Which emails tell users about their account, each with a link for "This was not me".',
    settings: ['mail_new_device', 'mail_contact_changed', 'mail_denied_attempt', 'daily_mail_limit'],
  },
  {
    id: 'alerts',
    title: 'Alerts',
    about: 'Who is told when something needs attention, about what, and when.',
    settings: [
      'alert_emails',
      'alert_events',
      'alert_kinds',
      'alert_language',
      'alert_quiet_hours',
      'alert_weekly_summary',
    ],
    more: { page: 'alerts', title: 'Slack, and a test message' },
  },
  {
    id: 'limits',
    title: 'Rates and retention',
    about: 'How many requests a key may send, and how long data is kept.',
    settings: ['rate_limits', 'claim_limits', 'failure_limits', 'retention_days'],
  },
];

/** All sections. Settings that are in none are added to a last one, so that they can still be changed. */
export const settingSections: readonly SettingSection[] = [...named, ...restOf(named)];

function restOf(sections: readonly SettingSection[]): SettingSection[] {
  const placed = new Set(sections.flatMap(({ settings }) => settings));
  const settings = settingNames.filter((name) => !placed.has(name));
  return settings.length > 0 ? [{ id: restId, title: 'More', about: '', settings }] : [];
}
