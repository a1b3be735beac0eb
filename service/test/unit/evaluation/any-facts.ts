import fc from 'fast-check';
import { parse } from 'whorl/fingerprint';
import { reasons } from 'whorl/wire';
import type { Facts, OtherUserFacts } from '../../../src/evaluation/rules/facts.js';
import { columns, effects, listEffects, listKinds, ruleEffects } from '../../../src/ground/vocabulary.js';
import { type Rule, ruleStates } from '../../../src/resources/projects/rules/conditions/rule.js';
import { defaultSettings, type Settings } from '../../../src/resources/projects/rules/settings.js';
import { daysAgo, defaultAccess, defaultRisk, fingerprint, now } from './facts.js';

const digests = fingerprint().fingerprint?.split('.').slice(2, 5).join('.');
const bool = fc.boolean();
const network = fc.constantFrom('n1', 'n2', 'n3', 'n4');
const ip = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string());

const fingerprintText = fc.oneof(
  fc.string(),
  fc
    .tuple(fc.stringMatching(/^[dmtx][wmlaicx][cfwx]\d{1,3}$/), fc.stringMatching(/^[\w-]{4}$/))
    .map(([descriptor, integrity]) => `w1.${descriptor}.${digests}.${integrity}`),
);

const request: fc.Arbitrary<Facts['request']> = fc
  .record({
    fingerprint: fingerprintText,
    isReadable: bool,
    userAgent: fc.option(
      fc.oneof(
        fc.string({ maxLength: 1200 }),
        fc.constantFrom('Mozilla/5.0 (Macintosh; ', 'Firefox/', 'Chrome/9 Edge/'),
      ),
      { nil: undefined },
    ),
    agent: fc.constantFrom(undefined, { name: 'agent', verified: true }, { name: 'unknown', verified: false }),
    emailDomain: fc.option(fc.oneof(fc.domain(), fc.string(), fc.constant('mailinator.com')), { nil: undefined }),
    metadata: fc.constantFrom({}, { amount: 600 }, { amount: 'x', constructor: 1 }),
    proof: fc.constantFrom(undefined, 'valid', 'replayed'),
  })
  .map((asked) => ({ ...asked, parsed: parse(asked.fingerprint) }));

const policy = fc.dictionary(
  fc.constantFrom(...columns),
  fc.dictionary(fc.constantFrom(...reasons), fc.constantFrom(...effects), { maxKeys: 4 }),
  { maxKeys: 2 },
);

const ruleText = fc.oneof(
  fc.constantFrom(
    ...[
      'true',
      'user.is_new',
      'metadata.amount > 500',
      '"new_device" in reasons',
      'risk.score > 5',
      'device.is_trusted',
    ],
    ...['address.users_today > 10', 'time.hour < 12', 'email.domain.endsWith("com")', 'address.kind == "tor"'],
  ),
  fc.string(),
);

/** Arbitrary rules of a project. */
export const rules: fc.Arbitrary<Rule[]> = fc.array(
  fc.record({
    name: fc.constantFrom('first', 'second', 'third'),
    when: ruleText,
    effect: fc.constantFrom(...ruleEffects),
    actions: fc.constantFrom([], ['login', 'payment']),
    state: fc.constantFrom(...ruleStates),
  }),
  { maxLength: 3 },
);

const settings: fc.Arbitrary<Settings> = fc
  .record(
    {
      account_takeover_protection: bool,
      mode: fc.constantFrom('enforce', 'observe'),
      learning_days: fc.constantFrom(0, 30),
      address_change: fc.constantFrom('challenge', 'allow'),
      device_limit: fc.constantFrom({ overall: 5, mobile: 1, tablet: null, desktop: 0 }),
      velocity: fc.record({ users_per_device: fc.nat(5), users_per_address: fc.nat(5) }),
      concurrency: fc.constantFrom({ devices: 0, minutes: 5 }, { devices: 1, minutes: 5 }),
      policy,
      rules,
    },
    { requiredKeys: [] },
  )
  .map((set) => ({ ...defaultSettings, ...set }));

const other: fc.Arbitrary<OtherUserFacts> = fc.record({
  userId: fc.uuid(),
  sameAddress: bool,
  sameContact: bool,
  sameKey: bool,
  today: bool,
});

const info = fc
  .record(
    {
      country: fc.constantFrom('DE', 'US'),
      kind: fc.constantFrom('hosting', 'vpn', 'tor', 'mobile'),
      sources: fc.constant({}),
    },
    { requiredKeys: ['sources'] },
  )
  .chain((facts) =>
    fc.oneof(
      fc.constant(facts),
      fc
        .record({
          latitude: fc.double({ min: -90, max: 90, noNaN: true }),
          longitude: fc.double({ min: -180, max: 180, noNaN: true }),
        })
        .map((position) => ({ ...facts, ...position })),
    ),
  );

const device = fc.record({
  id: fc.constant('device'),
  status: fc.constantFrom('attached', 'detached', 'pending', 'blocked'),
  kind: fc.constantFrom('mobile', 'tablet', 'desktop', 'unknown'),
  trusted: bool,
  whitelisted: bool,
  autoDetached: bool,
  knowsVariant: bool,
  hasKeys: bool,
  proof: fc.constantFrom('none', 'valid', 'foreign'),
});

const counts = fc.record({
  evaluations: fc.nat(60),
  failures: fc.nat(60),
  signups: fc.nat(60),
  users: fc.nat(60),
  failedUsers: fc.nat(60),
  devices: fc.nat(60),
  countries: fc.nat(60),
});
const subject = fc.option(fc.record({ fiveMinutes: counts, hour: counts, day: counts }), { nil: undefined });

/** Arbitrary facts, with settings and evidence of all kinds. */
export const anyFacts: fc.Arbitrary<Facts> = fc.record({
  now: fc.constant(now),
  action: fc.oneof(fc.constantFrom(...columns), fc.constantFrom('payment', 'constructor', '__proto__')),
  outcome: fc.constantFrom('succeeded', 'failed'),
  settings,
  lists: fc.array(
    fc.record({
      id: fc.constant('entry'),
      kind: fc.constantFrom(...listKinds),
      effect: fc.constantFrom(...listEffects),
    }),
    { maxLength: 3 },
  ),
  project: fc.constantFrom({ createdAt: daysAgo(10) }, { createdAt: daysAgo(400) }),
  isTest: bool,
  isTrustedCaller: bool,
  request,
  match: fc.record({
    fingerprintId: fc.constant('identity'),
    matchedBy: fc.constantFrom('exact', 'last', 'facets', 'new'),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    changed: fc.subarray(['gpu', 'fonts']),
    crowd: fc.constantFrom(undefined, 0, 0.00009, 0.0001, 1),
  }),
  user: fc.record({
    externalId: fc.constantFrom('anna', 'clara'),
    exists: bool,
    status: fc.constantFrom('active', 'suspended'),
    hasDevices: bool,
    disownedAt: fc.constantFrom(undefined, new Date(0)),
  }),
  device: fc.option(device, { nil: undefined }),
  history: fc.array(
    fc.record({ at: fc.constantFrom(now, daysAgo(1)), info }).map((access) => ({ ...defaultAccess, ...access })),
  ),
  address: fc.option(fc.record({ ip, network, trusted: bool, info }, { requiredKeys: ['ip', 'network', 'trusted'] }), {
    nil: undefined,
  }),
  attached: fc.record({ overall: fc.nat(8), mobile: fc.nat(4), tablet: fc.nat(4), desktop: fc.nat(4) }),
  active: fc.array(fc.record({ deviceId: fc.constantFrom('a', 'b', 'c'), network }), { maxLength: 6 }),
  others: fc.array(other, { maxLength: 7 }),
  usersAtAddress: fc.nat(8),
  risk: fc.option(
    fc
      .record({
        variantId: fc.constantFrom('variant', 'other', undefined),
        failures: fc.nat(5),
        loginThreshold: fc.double({ min: 0, max: 100, noNaN: true }),
      })
      .map((risk) => ({ ...defaultRisk, ...risk })),
    { nil: undefined },
  ),
  referrer: fc.option(
    fc.record({ userId: fc.uuid(), sameDevice: bool, sameAddress: bool, sameContact: bool, sameKey: bool }),
    { nil: undefined },
  ),
  velocity: fc.record({
    user: subject,
    device: subject,
    address: subject,
    network: subject,
    asn: subject,
    email_domain: subject,
  }),
  counters: fc.constant(undefined),
  challengePassed: fc.constantFrom(undefined, 'passed'),
  campaign: fc.constantFrom(undefined, { failures: 20, since: daysAgo(1), usualPerHour: 1 }),
});

/** Checks that a property holds for all facts. */
export function holds(property: (given: Facts) => void) {
  fc.assert(
    fc.property(anyFacts, (given) => {
      property(given);
    }),
    { numRuns: 200 },
  );
}
