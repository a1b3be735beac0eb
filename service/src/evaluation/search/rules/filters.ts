import type { AddressKind, ChallengeStatus, FeedbackLabel, MatchedBy, Outcome, Reason, Verdict } from 'whorl/wire';
import { reasons } from '../../../ground/vocabulary.js';
import { addressKinds } from '../../../resources/addresses/rules/address-info.js';
import { normaliseValue, valueRules } from '../../../resources/lists/rules/values.js';

/** Fact by which evaluations are filtered. */
export interface Filter<Value> {
  /** Label on the dashboard. */
  readonly title: string;
  /** Description in the API's documentation. */
  readonly description: string;
  /** What a value must be, after "must be". */
  readonly form: string;
  readonly example: Value;
  /** All values. Undefined if there is no list of them. */
  readonly choices?: readonly Value[];
  /** Whether the value says who or where somebody is. It is then not written to logs. */
  readonly isPersonal?: true;
  /** Returns the value of a text; undefined if the text is invalid. */
  readonly read: (text: string) => Value | undefined;
}

type Words = Pick<Filter<unknown>, 'title' | 'description'>;

function choice<Value extends string>(choices: readonly [Value, ...Value[]], words: Words): Filter<Value> {
  const read = (text: string) => choices.find((value) => value === text);
  return { ...words, form: `one of: ${choices.join(', ')}`, example: choices[0], choices, read };
}

function listed(kind: Parameters<typeof normaliseValue>[0], example: string, words: Words): Filter<string> {
  return { ...words, form: valueRules[kind].form, example, read: (text) => normaliseValue(kind, text) };
}

const verdicts = ['allow', 'challenge', 'restrict', 'challenge_and_restrict', 'deny'] as const satisfies Verdict[];
const outcomes = ['succeeded', 'failed'] as const satisfies Outcome[];
const labels = ['fraud', 'legitimate', 'none'] as const satisfies (FeedbackLabel | 'none')[];
const challenges = ['none', 'pending', 'completed', 'skipped', 'expired'] as const satisfies (
  | ChallengeStatus
  | 'none'
)[];
const matches = ['exact', 'key', 'last', 'facets', 'new'] as const satisfies MatchedBy[];
const ids = '0195e2c4-7c1a-7b3e-9f00-0123456789ab';

/**
 * Every fact by which evaluations are filtered: on the dashboard, in exports and in `GET /v2/evaluations`. An evaluation
 * must match all filters. Only `user`, `user_id` and `device_id` have an index.
 */
export const evaluationFilters = {
  verdict: choice<Verdict>(verdicts, { title: 'Verdict', description: 'The verdict.' }),
  reason: choice<Reason>(reasons, { title: 'Reason', description: 'One of the reasons.' }),
  action: {
    title: 'Action',
    description: 'The action.',
    form: '1 to 64 lower-case letters of the English alphabet, digits and underscores',
    example: 'login',
    read: (text) => (/^[a-z0-9_]{1,64}$/.test(text) ? text : undefined),
  } satisfies Filter<string>,
  outcome: choice<Outcome>(outcomes, { title: 'Attempt', description: 'Whether the attempt succeeded.' }),
  user: {
    ...listed('user', 'user-4711', { title: 'Your user identifier', description: 'Your own ID of the user.' }),
    isPersonal: true,
  },
  user_id: listed('device', ids, { title: 'User', description: "The service's ID of the user." }),
  device_id: listed('device', ids, { title: 'Device', description: 'The device, or one that was merged into it.' }),
  fingerprint_id: listed('device', ids, {
    title: 'fingerprint_id',
    description: 'The browser, or one that was merged into it.',
  }),
  hardware_id: listed('hardware', ids, {
    title: 'hardware_id',
    description: 'The hardware of the fingerprint, if the project uses `hardware_id`.',
  }),
  ip: {
    ...listed('address', '198.51.100.0/24', {
      title: 'IP address or range',
      description: 'The IP address, or a range that contains it.',
    }),
    isPersonal: true,
  },
  country: listed('country', 'DE', { title: 'Country', description: 'The country of the IP address.' }),
  asn: listed('asn', '64496', { title: 'Network (ASN)', description: 'The autonomous system of the IP address.' }),
  address_kind: choice<AddressKind>(addressKinds, {
    title: 'Kind of address',
    description: 'The kind of the IP address.',
  }),
  min_score: {
    title: 'Risk score from',
    description: 'The lowest `risk.score`.',
    form: 'a number from 0 to 100',
    example: 50,
    read: (text) => (/^\d{1,3}(\.\d{1,6})?$/.test(text) && Number(text) <= 100 ? Number(text) : undefined),
  } satisfies Filter<number>,
  label: choice<FeedbackLabel | 'none'>(labels, { title: 'Label', description: 'The label that feedback gave it.' }),
  challenge: choice<ChallengeStatus | 'none'>(challenges, {
    title: 'Challenge',
    description: 'The status of its challenge; `none` without one.',
  }),
  matched_by: choice<MatchedBy>(matches, { title: 'Recognised by', description: 'How the browser was recognised.' }),
  rule: {
    title: 'Rule',
    description: 'The name of a rule that matched it.',
    form: 'the name of a rule',
    example: 'Large payout',
    read: (text) => normaliseValue('user', text),
  } satisfies Filter<string>,
} as const;

export type EvaluationFilterName = keyof typeof evaluationFilters;

type ValueOf<Fact> = Fact extends Filter<infer Value> ? Value : never;

/** Values of the filters that are set, in their normal form. */
export type EvaluationFilter = {
  readonly [Name in EvaluationFilterName]?: ValueOf<(typeof evaluationFilters)[Name]> | undefined;
};

/** Returns the filters that are set as text for the audit log, without values that are personal data. */
export function describeFilter(filter: Readonly<Record<string, string | number | undefined>>): string {
  const isPersonal = (name: string) => isFilterName(name) && 'isPersonal' in evaluationFilters[name];
  return Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${isPersonal(name) ? '…' : value}`)
    .join(' ');
}

/** Returns whether a text is the name of a filter. */
export function isFilterName(name: string): name is EvaluationFilterName {
  return Object.hasOwn(evaluationFilters, name);
}
