import { z } from 'zod';
import { colourForm } from '../../challenge-page/rules/colours.js';
import { isReturnEntry } from '../../challenge-page/rules/return-address.js';
import { columns, effects, reasons } from '../../evaluation/rules/vocabulary.js';

const count = (value: number) => z.number().int().min(0).max(1_000_000).default(value);
const colour = () => z.string().regex(colourForm, 'must be a colour such as #2457c5').nullable().default(null);
const limitOfKind = () => z.number().int().min(0).max(1000).nullable().default(null);

/**
 * Everything that a project can set, with its default and what it does. The one table that the store, the command
 * line, the dashboard and docs/settings.md follow.
 */
export const settingsSchema = z.object({
  account_takeover_protection: z
    .boolean()
    .default(true)
    .describe('Whether `new_device`, `new_ip` and `unproven_device` challenge. Off: they are reported.'),
  managed_challenge_page: z
    .boolean()
    .default(false)
    .describe('Whether the service shows the page on which a code is entered. Off: the application has its own.'),
  challenge_page: z
    .object({
      name: z
        .string()
        .trim()
        .min(1)
        .max(100)
        .nullable()
        .default(null)
        .describe("Stands above, and in the sentences. None: the project's name."),
      logo_url: z
        .url({ protocol: /^https?$/, error: 'must be an address that begins with https:// or http://' })
        .nullable()
        .default(null)
        .describe('Where the logo is. The page lets in pictures of its origin, and no others. None: no logo.'),
      colour: colour().describe('Of the main button, such as `#2457c5`. None: ours.'),
      colour_dark: colour().describe('The same where people have it dark. None: the one above.'),
      language: z.enum(['en', 'de']).nullable().default(null).describe("None: the browser's."),
      return_addresses: z
        .array(z.string().refine(isReturnEntry, 'must be an origin, or an address without query'))
        .default([])
        .describe(
          'Where the page may lead back to, beside `allowed_origins`: an origin, or an address with a path, which allows what is under that path.',
        ),
    })
    .prefault({})
    .describe('How the managed challenge page looks, and where it leads back to.'),
  mode: z
    .enum(['enforce', 'observe'])
    .default('enforce')
    .describe('`observe` answers `allow` always, and gives the verdict it would have given as `observed_verdict`.'),
  learning_days: count(0).describe(
    'For so many days from the making of the project, the first device of a user is trusted where nothing but `new_device` and `new_ip` was noticed.',
  ),
  address_change: z
    .enum(['challenge', 'allow'])
    .default('challenge')
    .describe('What becomes of a trusted device without proof at an address that is not trusted.'),
  address_trust_days: count(90).describe('How long an address stays trusted for a user.'),
  auto_detach_days: count(30).describe('Idle days after which a device is detached. 0: never.'),
  device_limit: z
    .object({
      overall: z.number().int().min(0).max(1000).nullable().default(5).describe('Of all kinds together.'),
      mobile: limitOfKind().describe('Of phones.'),
      tablet: limitOfKind().describe('Of tablets.'),
      desktop: limitOfKind().describe('Of computers.'),
    })
    .prefault({})
    .describe('How many attached devices a user may have, overall and of each kind. None: no limit.'),
  concurrency: z
    .object({
      devices: count(2).describe('More than so many are too many.'),
      minutes: count(5).describe('What counts as the same time.'),
    })
    .prefault({})
    .describe('How many devices of a user may be active at different addresses within so many minutes.'),
  velocity: z
    .object({
      users_per_device: count(10).describe('More than so many raise `velocity`.'),
      users_per_address: count(30).describe('More than so many raise `velocity`.'),
    })
    .prefault({})
    .describe('How many users a day one device, and one address, may have.'),
  rare_crowd: z
    .number()
    .min(0)
    .max(1)
    .default(1 / 10_000)
    .describe('The share of users below which a fingerprint counts as rare enough to corroborate itself.'),
  enforce_automation_for_test_keys: z
    .boolean()
    .default(false)
    .describe('Whether `automation` counts with test keys too, and not only in reports.'),
  challenge_lifetime_hours: count(24).describe('Hours after which an open challenge expires.'),
  daily_code_limit: count(10_000).describe('How many codes the project sends a day, against text-message pumping.'),
  default_country: z
    .string()
    .nullable()
    .default(null)
    .describe(
      'The country whose national phone numbers are read, such as `DE` (ISO 3166-1 alpha-2). None: only numbers in international form are read.',
    ),
  claim_limits: z
    .object({
      evaluations_per_network: count(2000).describe('Evaluations in an hour from one source network.'),
      evaluations_per_day: count(1_000_000).describe('Evaluations of the project in a day; each takes up to 2 KB.'),
      codes_per_network: count(60).describe('Codes in an hour, asked for on the managed page from one source network.'),
      codes_per_day: count(10_000).describe('Codes of the project in a day, asked for on the managed page.'),
      tries_per_network: count(120).describe('Codes tried in an hour from one source network.'),
      tries_per_day: count(20_000).describe('Codes tried in a day in the project.'),
    })
    .prefault({})
    .describe(
      'What publishable keys may do before the secret key has confirmed anything: per source network (IPv4 /24, IPv6 /48) and per project. The quotas of a day are divided into 64 parts by source network.',
    ),
  allowed_origins: z
    .array(z.string())
    .default([])
    .describe('Origins from which a publishable key may be used, such as `https://shop.example`.'),
  blocked_addresses: z.array(z.string()).default([]).describe('Addresses and ranges (CIDR) that are denied.'),
  allowed_addresses: z.array(z.string()).default([]).describe('Addresses and ranges for which only `blocked` counts.'),
  allowed_users: z.array(z.string()).default([]).describe('Users (`external_id`) for whom only `blocked` counts.'),
  admin_email: z
    .string()
    .nullable()
    .default(null)
    .describe('The e-mail address to which reports of shared accounts go. None: they are not sent.'),
  retention_days: count(400).describe('Days for which evaluations and fingerprint variants are kept.'),
  rate_limits: z
    .object({
      secret_per_second: count(500).describe('Of a secret key.'),
      publishable_per_second: count(20).describe('Of a publishable key at one address, over a longer time.'),
      publishable_burst: count(40).describe('The same, all at once.'),
    })
    .prefault({})
    .describe('How many requests a second are answered. Each process counts its own.'),
  policy: z
    .partialRecord(z.enum(columns), z.partialRecord(z.enum(reasons), z.enum(effects)))
    .default({})
    .describe(
      'Cells of the policy table that the project changes: by action (login, signup, referral), then by reason. `off` drops the reason.',
    ),
});

/** A project's settings, complete. */
export type Settings = z.output<typeof settingsSchema>;

/** The settings of a project that has set nothing. */
export const defaultSettings: Settings = settingsSchema.parse({});
