import { z } from 'zod';
import { colourForm } from './challenge-page/colours.js';
import { isReturnEntry } from './challenge-page/return-address.js';
import { columns, effects, reasons } from './evaluation/vocabulary.js';

const count = (value: number) => z.number().int().min(0).max(1_000_000).default(value);
const colour = z.string().regex(colourForm, 'must be a colour such as #2457c5').nullable().default(null);
const limitOfKind = z.number().int().min(0).max(1000).nullable().default(null);

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
      name: z.string().trim().min(1).max(100).nullable().default(null),
      logo_url: z
        .url({ protocol: /^https?$/ })
        .nullable()
        .default(null),
      colour,
      colour_dark: colour,
      language: z.enum(['en', 'de']).nullable().default(null),
      return_addresses: z
        .array(z.string().refine(isReturnEntry, 'must be an origin, or an address without query'))
        .default([]),
    })
    .prefault({})
    .describe(
      "How the managed challenge page looks, and where it leads back to beside `allowed_origins`. null: the project's name, no logo, our colours, the browser's language.",
    ),
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
      overall: z.number().int().min(0).max(1000).nullable().default(5),
      mobile: limitOfKind,
      tablet: limitOfKind,
      desktop: limitOfKind,
    })
    .prefault({})
    .describe('How many attached devices a user may have, overall and of each kind. null: no limit.'),
  concurrency: z
    .object({ devices: count(2), minutes: count(5) })
    .prefault({})
    .describe('How many devices of a user may be active at different addresses within so many minutes.'),
  velocity: z
    .object({ users_per_device: count(10), users_per_address: count(30) })
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
  allowed_origins: z
    .array(z.string())
    .default([])
    .describe('Origins from which a publishable key may be used, such as `https://shop.example`.'),
  blocked_addresses: z.array(z.string()).default([]).describe('Addresses and ranges (CIDR) that are denied.'),
  allowed_addresses: z.array(z.string()).default([]).describe('Addresses and ranges for which only `blocked` counts.'),
  allowed_users: z.array(z.string()).default([]).describe('Users (`external_id`) for whom only `blocked` counts.'),
  admin_email: z.string().nullable().default(null).describe('Where reports of shared accounts go.'),
  retention_days: count(400).describe('Days for which evaluations and fingerprint variants are kept.'),
  rate_limits: z
    .object({
      secret_per_second: count(500),
      publishable_per_second: count(20),
      publishable_burst: count(40),
    })
    .prefault({})
    .describe('Requests a second: of a secret key, and of a publishable key at one address.'),
  policy: z
    .partialRecord(z.enum(columns), z.partialRecord(z.enum(reasons), z.enum(effects)))
    .default({})
    .describe(
      "Cells of the policy table that the project changes: by action (login, signup, referral), then by reason. 'off' drops the reason.",
    ),
});

/** A project's settings, complete. */
export type Settings = z.output<typeof settingsSchema>;

/** The settings of a project that has set nothing. */
export const defaultSettings: Settings = settingsSchema.parse({});
