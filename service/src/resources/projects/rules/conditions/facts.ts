import { type AddressKind, type DeviceKind, type MatchedBy, reasons } from 'whorl/wire';

/** Fact that conditions of rules can read. */
export interface ConditionFact {
  /** `double` is any number, `int` a whole one. */
  readonly type: 'string' | 'bool' | 'int' | 'double' | 'list<string>' | 'map<string, dyn>';
  readonly description: string;
  readonly example: string;
  /** Values that it has, or those that are most usual. Default: any. */
  readonly values?: readonly string[];
}

const deviceKinds = ['desktop', 'mobile', 'tablet', 'unknown'] as const satisfies readonly DeviceKind[];
const matches = ['exact', 'key', 'last', 'facets', 'new'] as const satisfies readonly MatchedBy[];
const addressKinds = ['hosting', 'vpn', 'proxy', 'tor', 'relay', 'mobile'] as const satisfies readonly AddressKind[];

/**
 * All facts of conditions, with the CEL type of each. The checker, the values of an evaluation and docs/rules.md follow this
 * table. What is not known is an empty text, 0 or false.
 */
export const conditionFacts = {
  action: {
    type: 'string',
    description: 'the action',
    example: 'action == "payout"',
    values: ['login', 'signup', 'referral', 'payment', 'payout', 'password_reset'],
  },
  outcome: {
    type: 'string',
    description: '`succeeded` or `failed`',
    example: 'outcome == "failed"',
    values: ['succeeded', 'failed'],
  },
  metadata: {
    type: 'map<string, dyn>',
    description: 'what your server sent as `metadata`. Without the value, the rule does not match.',
    example: 'metadata.amount > 500',
  },
  reasons: {
    type: 'list<string>',
    description: 'the [reasons](verdicts.md#reasons) that were found',
    example: '"new_device" in reasons',
    values: reasons,
  },
  'user.id': { type: 'string', description: 'your ID of the user', example: 'user.id.startsWith("test-")' },
  'user.is_new': { type: 'bool', description: 'whether the user was never seen before', example: 'user.is_new' },
  'user.evaluations_today': {
    type: 'int',
    description: 'evaluations of the user in the last 24 hours, before this one',
    example: 'user.evaluations_today > 20',
  },
  'user.failures_today': {
    type: 'int',
    description: 'failed attempts against the user in the last 24 hours',
    example: 'user.failures_today > 3',
  },
  'user.devices_today': {
    type: 'int',
    description: 'devices of the user in the last 24 hours, estimated',
    example: 'user.devices_today > 2',
  },
  'user.countries_today': {
    type: 'int',
    description: 'countries of the user in the last 24 hours',
    example: 'user.countries_today > 1',
  },
  'device.is_new': {
    type: 'bool',
    description: 'whether the user has not used the device before',
    example: 'device.is_new',
  },
  'device.is_trusted': {
    type: 'bool',
    description: 'whether the device is [trusted](verdicts.md#trust)',
    example: '!device.is_trusted',
  },
  'device.is_proven': {
    type: 'bool',
    description: 'whether the device proved its key',
    example: '!device.is_proven',
  },
  'device.kind': {
    type: 'string',
    description: '`desktop`, `mobile`, `tablet` or `unknown`',
    example: 'device.kind == "mobile"',
    values: deviceKinds,
  },
  'device.os': { type: 'string', description: 'the operating system', example: 'device.os == "Linux"' },
  'device.browser': { type: 'string', description: 'the family of the browser', example: 'device.browser == "WebKit"' },
  'device.matched_by': {
    type: 'string',
    description: '`exact`, `key`, `last`, `facets` or `new`',
    example: 'device.matched_by == "new"',
    values: matches,
  },
  'device.other_users': {
    type: 'int',
    description: 'other users of the device, at most 50',
    example: 'device.other_users > 1',
  },
  'device.users_today': {
    type: 'int',
    description: 'users of the device in the last 24 hours, estimated',
    example: 'device.users_today > 3',
  },
  'address.ip': { type: 'string', description: 'the IP address', example: 'address.ip == "198.51.100.7"' },
  'address.is_trusted': {
    type: 'bool',
    description: 'whether the address is trusted for the user',
    example: '!address.is_trusted',
  },
  'address.country': { type: 'string', description: 'the country', example: 'address.country in ["DE", "AT"]' },
  'address.asn': {
    type: 'int',
    description: 'the number of the autonomous system',
    example: 'address.asn == 64496',
  },
  'address.organisation': {
    type: 'string',
    description: 'who operates it',
    example: 'address.organisation.contains("Example")',
  },
  'address.kind': {
    type: 'string',
    description: '`hosting`, `vpn`, `proxy`, `tor`, `relay` or `mobile`',
    example: 'address.kind == "tor"',
    values: addressKinds,
  },
  'address.users_today': {
    type: 'int',
    description: 'users of the address in the last 24 hours, estimated',
    example: 'address.users_today > 10',
  },
  'address.failures_today': {
    type: 'int',
    description: 'failed attempts from the address in the last 24 hours',
    example: 'address.failures_today > 20',
  },
  'address.signups_today': {
    type: 'int',
    description: 'sign-ups from the address in the last 24 hours',
    example: 'address.signups_today > 5',
  },
  'email.domain': {
    type: 'string',
    description: "the domain of the request's email address, or of the user's",
    example: 'email.domain.endsWith(".example")',
  },
  'risk.score': { type: 'double', description: 'the [risk score](risk.md) in per cent', example: 'risk.score > 5' },
  'time.hour': { type: 'int', description: 'the hour in UTC, from 0 to 23', example: 'time.hour < 6' },
  'time.weekday': { type: 'int', description: 'from 1 (Monday) to 7', example: 'time.weekday > 5' },
} as const satisfies Readonly<Record<string, ConditionFact>>;

/** Counts of the project's own, which conditions read by a function. */
const conditionCounter: ConditionFact = {
  type: 'int',
  description:
    'earlier evaluations with this name, in a window of `"5m"`, `"1h"` or `"24h"`: see [counters](#counters-of-your-own)',
  example: 'counter("card:" + metadata.card, "24h") > 3',
};

/** Everything that conditions read, for the documentation. */
export const documentedFacts: readonly (readonly [name: string, fact: ConditionFact])[] = [
  ...Object.entries(conditionFacts),
  ['counter(name, window)', conditionCounter],
];

export type FactName = keyof typeof conditionFacts;

export const factNames = Object.keys(conditionFacts).filter((name): name is FactName => name in conditionFacts);

interface TypeOf {
  string: string;
  bool: boolean;
  int: number;
  double: number;
  'list<string>': readonly string[];
  'map<string, dyn>': Readonly<Record<string, unknown>>;
}

/**
 * Value of a counter: a number of evaluations before this one. `missing`: its name reads metadata that the evaluation does
 * not have. `failed`: its name is not a text, or too long.
 */
export type CounterValue = number | 'missing' | 'failed';

/** Values of counters by the ID of `NamedCounter`. */
export type CounterValues = ReadonlyMap<string, CounterValue>;

/** Values of all facts. */
export type FactValues = { readonly [Name in FactName]: TypeOf[(typeof conditionFacts)[Name]['type']] } & {
  /** Values of the counters that rules name. Absent if they name none. */
  readonly counters?: CounterValues;
};
