import fc from 'fast-check';
import { reasons } from 'whorl/wire';
import { columns, effects, ruleEffects } from '../../../src/ground/vocabulary.js';
import type { Settings } from '../../../src/resources/projects/rules/settings.js';

const count = fc.nat(1_000_000);
const percent = fc.double({ min: 0, max: 100, noNaN: true }).map((share) => share + 0);
const limit = fc.option(fc.nat(1000));
const colour = fc.option(fc.stringMatching(/^#[0-9a-f]{6}$/));
const text = fc
  .string({ minLength: 1, maxLength: 100, unit: 'grapheme-ascii' })
  .filter((value) => value.trim() === value && value !== '');
const origin = fc.domain().map((domain) => new URL(`https://${domain}`).origin);

/** Arbitrary valid settings, with values that differ from the defaults. */
export const anySettings: fc.Arbitrary<Settings> = fc.record({
  account_takeover_protection: fc.boolean(),
  managed_challenge_page: fc.boolean(),
  prefer_own_factor: fc.boolean(),
  challenge_page: fc.record({
    name: fc.option(text),
    logo_url: fc.option(fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true })),
    colour,
    colour_dark: colour,
    scope: fc.string({ maxLength: 200 }),
    language: fc.constantFrom('en', 'de', null),
    return_addresses: fc.array(origin, { maxLength: 3 }),
  }),
  mode: fc.constantFrom('enforce', 'observe'),
  review_score: fc.option(percent),
  hardware_id: fc.boolean(),
  judge_by: fc.constantFrom('rules', 'risk'),
  risk: fc.record({
    threshold: percent,
    challenge_at_most: fc.option(percent),
    new_device_at_known_address: fc.constantFrom('challenge', 'score'),
    signup_threshold: percent,
  }),
  learning_days: count,
  address_change: fc.constantFrom('challenge', 'allow'),
  address_trust_days: count,
  auto_detach_days: count,
  device_limit: fc.record({ overall: limit, mobile: limit, tablet: limit, desktop: limit }),
  concurrency: fc.record({ devices: count, minutes: count }),
  failures: fc.record({
    per_user: count,
    users_per_device: count,
    users_per_address: count,
    users_per_network: count,
    users_per_asn: count,
  }),
  velocity: fc.record({ users_per_device: count, users_per_address: count }),
  rare_fingerprint_share: fc.double({ min: 0, max: 1, noNaN: true }).map((share) => share + 0),
  enforce_for_test_keys: fc.boolean(),
  challenge_lifetime_hours: count,
  daily_code_limit: count,
  mail_new_device: fc.boolean(),
  mail_contact_changed: fc.boolean(),
  mail_denied_attempt: fc.boolean(),
  daily_mail_limit: count,
  claim_limits: fc.record({
    evaluations_per_network: count,
    evaluations_per_day: count,
    codes_per_network: count,
    codes_per_day: count,
    tries_per_network: count,
    tries_per_day: count,
  }),
  failure_limits: fc.record({ stored_per_network: count, stored_per_day: count }),
  default_country: fc.constantFrom('DE', 'US', null),
  allowed_origins: fc.array(origin, { maxLength: 3 }),
  admin_email: fc.option(fc.constantFrom('ada@shop.example', "o'neill+fraud@shop.example")),
  alert_emails: fc.array(fc.constantFrom('ada@shop.example', "o'neill+fraud@shop.example"), { maxLength: 3 }),
  alert_events: fc.boolean(),
  alert_kinds: fc.record({
    unusual_rate: fc.boolean(),
    campaign: fc.boolean(),
    failing_webhook: fc.boolean(),
    failing_rule: fc.boolean(),
    old_address_data: fc.boolean(),
    no_mail: fc.boolean(),
    waiting_reviews: fc.boolean(),
  }),
  alert_language: fc.constantFrom('en', 'de'),
  alert_weekly_summary: fc.boolean(),
  alert_quiet_hours: fc.record({
    from: fc.constantFrom(0, 22),
    until: fc.constantFrom(7, 23),
    time_zone: fc.constantFrom('UTC', 'Europe/Berlin'),
  }),
  retention_days: count,
  rate_limits: fc.record({ secret_per_second: count, publishable_per_second: count, publishable_burst: count }),
  policy: fc.dictionary(
    fc.constantFrom(...columns),
    fc.dictionary(fc.constantFrom(...reasons), fc.constantFrom(...effects), { minKeys: 1, noNullPrototype: true }),
    { noNullPrototype: true },
  ),
  rules: fc.uniqueArray(
    fc
      .record({
        name: text,
        when: fc.constantFrom(
          ...['metadata.amount > 500', '"new_device" in reasons && !device.is_trusted', 'time.hour < 6'],
        ),
        effect: fc.constantFrom(...ruleEffects),
        actions: fc.array(fc.constantFrom('login', 'payout'), { maxLength: 2 }),
        state: fc.constantFrom('on', 'shadow', 'off'),
      })
      .map((rule) => (rule.effect === 'tag' ? { ...rule, tag: 'tagged' } : rule)),
    { selector: ({ name }) => name, maxLength: 3 },
  ),
});
