import { reasons } from 'whorl/wire';
import { z } from 'zod';
import { columns, effects } from '../../../ground/vocabulary.js';
import { alertSettings } from './alert-settings.js';
import { challengePageSettings } from './challenge-page-settings.js';
import { maxRules, ruleSchema } from './conditions/rule.js';

const count = (value: number) => z.number().int().min(0).max(1_000_000).default(value);
const percent = (value: number) => z.number().min(0).max(100).default(value);
const limitOfKind = () => z.number().int().min(0).max(1000).nullable().default(null);

/**
 * All settings of a project, with defaults and descriptions. The database, the command line, the dashboard and
 * docs/settings.md follow this schema.
 */
export const settingsSchema = z.object({
  account_takeover_protection: z
    .boolean()
    .default(true)
    .describe(
      'Whether `new_device`, `new_ip`, `unproven_device` and `high_risk` lead to a challenge. Off: they are only reported.',
    ),
  managed_challenge_page: z
    .boolean()
    .default(false)
    .describe('Whether the service hosts the page on which users enter a code. Off: your application does.'),
  prefer_own_factor: z
    .boolean()
    .default(false)
    .describe(
      'Whether a user who has a factor of your application (`methods` of the evaluation) is offered no code for `new_device` and `new_ip`. Off: a code can be sent too.',
    ),
  challenge_page: challengePageSettings,
  mode: z
    .enum(['enforce', 'observe'])
    .default('enforce')
    .describe(
      '`enforce`: verdicts take effect. `observe`: the verdict is always `allow`, and `observed_verdict` is what `enforce` would return.',
    ),
  judge_by: z
    .enum(['rules', 'risk'])
    .default('rules')
    .describe(
      'How logins are judged. `rules`: `new_device` and `new_ip` challenge, and `high_risk` is only reported. `risk`: the other way round.',
    ),
  risk: z
    .object({
      threshold: percent(0.15).describe('Score in per cent that raises `high_risk` at a login.'),
      challenge_at_most: z
        .number()
        .min(0)
        .max(100)
        .nullable()
        .default(null)
        .describe(
          'Maximum share of logins, in per cent, that raise `high_risk`. The threshold becomes the score that this share of logins reached in the last 30 days, up to ten times `threshold`, once 100 logins count: the newest one of each user and of each address, if it was allowed or its challenge was completed. None: `threshold` applies.',
        ),
      new_device_at_known_address: z
        .enum(['challenge', 'score'])
        .default('challenge')
        .describe(
          'When a new device without a valid proof raises `high_risk` at an address that the user had before. Housemates and colleagues share such an address. `challenge`: always. `score`: only if its score is high enough.',
        ),
      signup_threshold: percent(50).describe('Score in per cent that raises `high_risk` at a sign-up or referral.'),
    })
    .prefault({})
    .describe('Risk scores that raise `high_risk`.'),
  learning_days: count(0).describe(
    "Days after the project's creation during which a user's first device is trusted if `new_device` and `new_ip` are the only reasons.",
  ),
  address_change: z
    .enum(['challenge', 'allow'])
    .default('challenge')
    .describe('What happens when a trusted device without proof is used at an address that is not trusted.'),
  address_trust_days: count(90).describe('Days for which an address stays trusted for a user.'),
  auto_detach_days: count(30).describe('Days without use after which a device is detached. 0: never.'),
  device_limit: z
    .object({
      overall: z.number().int().min(0).max(1000).nullable().default(5).describe('Limit for all devices together.'),
      mobile: limitOfKind().describe('Limit for phones.'),
      tablet: limitOfKind().describe('Limit for tablets.'),
      desktop: limitOfKind().describe('Limit for computers.'),
    })
    .prefault({})
    .describe('Maximum number of attached devices of a user, overall and of each kind. None: no limit.'),
  concurrency: z
    .object({
      devices: count(2).describe('Maximum number of devices.'),
      minutes: count(5).describe('Period in minutes.'),
    })
    .prefault({})
    .describe('How many devices of a user may be active at different addresses within a period.'),
  velocity: z
    .object({
      users_per_device: count(10).describe('Users per device and day.'),
      users_per_address: count(30).describe('Users per address and day.'),
    })
    .prefault({})
    .describe('Numbers of users in a day above which `velocity` is raised.'),
  failures: z
    .object({
      per_user: count(10).describe('Failures against one user above which `password_guessing` is raised.'),
      users_per_device: count(5).describe('Users who failed from one device.'),
      users_per_address: count(10).describe('Users who failed from one address.'),
      users_per_network: count(20).describe('Users who failed from one network (IPv4 /24, IPv6 /48).'),
      users_per_asn: count(50).describe('Users who failed from one autonomous system.'),
    })
    .prefault({})
    .describe(
      'Maximum numbers of failures in a day. Above the limit of a source, `credential_stuffing` is raised if at least half of all attempts from there failed.',
    ),
  rare_fingerprint_share: z
    .number()
    .min(0)
    .max(1)
    .default(1 / 10_000)
    .describe('A fingerprint needs no other evidence if a smaller share of users than this has it.'),
  review_score: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .default(null)
    .describe(
      'Risk score in per cent at which an evaluation waits for a review. None: no evaluation waits because of its score.',
    ),
  hardware_id: z
    .boolean()
    .default(false)
    .describe(
      'Whether evaluations and devices contain `hardware_id`, which is the same for devices with the same hardware, and the number of these devices.',
    ),
  enforce_for_test_keys: z
    .boolean()
    .default(false)
    .describe(
      'Whether `automation`, `multiple_accounts`, `self_referral` and `velocity` affect verdicts for test keys. Off: they are only reported, so that tests and several accounts in one browser work.',
    ),
  challenge_lifetime_hours: count(24).describe('Hours after which an open challenge expires.'),
  daily_code_limit: count(10_000).describe(
    'Maximum number of codes that the project sends in a day, which limits SMS pumping.',
  ),
  default_country: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'Country of phone numbers without a country code, such as `DE` (ISO 3166-1 alpha-2). None: only numbers in international format are accepted.',
    ),
  claim_limits: z
    .object({
      evaluations_per_network: count(2000).describe('Evaluations per hour from one source network.'),
      evaluations_per_day: count(1_000_000).describe('Evaluations of the project per day; each takes up to 2 KB.'),
      codes_per_network: count(60).describe('Codes requested per hour on the managed page from one source network.'),
      codes_per_day: count(10_000).describe('Codes of the project requested per day on the managed page.'),
      tries_per_network: count(120).describe('Codes entered per hour from one source network.'),
      tries_per_day: count(20_000).describe('Codes of the project entered per day.'),
    })
    .prefault({})
    .describe(
      'Quotas for requests with a publishable key that the secret key has not confirmed. Daily quotas are divided into 64 parts by source network (IPv4 /24, IPv6 /48).',
    ),
  failure_limits: z
    .object({
      stored_per_network: count(200).describe('Failed attempts stored per hour from one source network.'),
      stored_per_day: count(100_000).describe('Failed attempts of the project stored per day; each takes 1.2 KB.'),
    })
    .prefault({})
    .describe(
      'Quotas for storing failed attempts. The daily quota is divided into 64 parts by source network (IPv4 /24, IPv6 /48). Above a quota, an attempt is judged and counted, but not stored.',
    ),
  allowed_origins: z
    .array(z.string())
    .default([])
    .describe('Origins from which a publishable key may be used, such as `https://shop.example`.'),
  mail_new_device: z
    .boolean()
    .default(false)
    .describe('Whether a user gets an email when a challenge made a device trusted.'),
  mail_contact_changed: z
    .boolean()
    .default(false)
    .describe(
      'Whether a user gets an email when `POST /v2/user/:id/update` replaced or removed an email address or phone number. A replaced address gets all of these emails for 72 hours too.',
    ),
  mail_denied_attempt: z
    .boolean()
    .default(false)
    .describe('Whether a user gets an email when a login with the right password was denied.'),
  daily_mail_limit: count(10_000).describe(
    'Maximum number of these emails that the project sends in a day. A user gets at most 3 of each kind, and an address at most 10.',
  ),
  admin_email: z
    .string()
    .nullable()
    .default(null)
    .describe('Email address that receives reports of shared accounts. None: no reports are sent.'),
  ...alertSettings,
  retention_days: count(400).describe('Days for which evaluations and fingerprint variants are kept.'),
  rate_limits: z
    .object({
      secret_per_second: count(500).describe('Requests per second with a secret key.'),
      publishable_per_second: count(20).describe(
        'Average requests per second with a publishable key from one address.',
      ),
      publishable_burst: count(40).describe('Requests with a publishable key from one address in a burst.'),
    })
    .prefault({})
    .describe('Maximum request rates, which the processes of an installation share.'),
  policy: z
    .partialRecord(z.enum(columns), z.partialRecord(z.enum(reasons), z.enum(effects)))
    .default({})
    .describe(
      'Cells of the policy table that the project overrides, by action, then by reason. `off` ignores the reason.',
    ),
  rules: z
    .array(ruleSchema)
    .max(maxRules)
    .default([])
    .describe('Rules of the project, in order (docs/rules.md). The first one that matches and has a verdict decides.'),
});

/** Complete settings of a project. */
export type Settings = z.output<typeof settingsSchema>;

/** Settings of a project that has changed none. */
export const defaultSettings: Settings = settingsSchema.parse({});
