import type { AddressKind, ChallengeStatus, FeedbackLabel, MatchedBy, Outcome, Verdict } from 'whorl/wire';
import { addressKinds } from '../../../resources/addresses/rules/address-info.js';
import {
  choiceFilter,
  type Filter,
  type FilterValues,
  type FilterWords,
  hardwareFilter,
  idFilter,
  listedFilter,
} from '../../../resources/filters/rules/filter.js';
import { sharedFilters } from '../../../resources/filters/rules/shared-filters.js';
import { normaliseValue } from '../../../resources/lists/rules/values.js';
import { tagForm, tagPattern } from '../../../resources/projects/rules/conditions/tag.js';

const verdicts = ['allow', 'challenge', 'restrict', 'challenge_and_restrict', 'deny'] as const satisfies Verdict[];
const outcomes = ['succeeded', 'failed'] as const satisfies Outcome[];
const labels = ['fraud', 'legitimate', 'none'] as const satisfies (FeedbackLabel | 'none')[];
const challenges = ['none', 'pending', 'completed', 'skipped', 'expired'] as const satisfies (
  | ChallengeStatus
  | 'none'
)[];
const matches = ['exact', 'key', 'last', 'facets', 'new'] as const satisfies MatchedBy[];

function scoreFilter(words: FilterWords): Filter<number> {
  const read = (text: string) => (/^\d{1,3}(\.\d{1,6})?$/.test(text) && Number(text) <= 100 ? Number(text) : undefined);
  return { ...words, form: 'a number from 0 to 100', example: 50, read };
}

/**
 * Every fact by which evaluations are filtered: on the dashboard, in exports and in `GET /v2/evaluations`. An evaluation
 * must match all filters. Only `user`, `user_id` and `device_id` have an index.
 */
export const evaluationFilters = {
  verdict: choiceFilter<Verdict>(verdicts, { title: 'Verdict', description: 'The verdict.' }),
  reason: sharedFilters.reason,
  action: sharedFilters.action,
  outcome: choiceFilter<Outcome>(outcomes, { title: 'Attempt', description: 'Whether the attempt succeeded.' }),
  user: sharedFilters.user,
  user_id: sharedFilters.user_id,
  device_id: idFilter('a device', { title: 'Device', description: 'The device, or one that was merged into it.' }),
  fingerprint_id: idFilter('a browser', {
    title: 'Browser ID',
    description: 'The browser, or one that was merged into it.',
  }),
  hardware_id: hardwareFilter('The hardware of the fingerprint, if the project uses `hardware_id`.'),
  ip: sharedFilters.ip,
  country: listedFilter('country', 'DE', { title: 'Country', description: 'The country of the IP address.' }),
  asn: listedFilter('asn', '64496', {
    title: 'Network (ASN)',
    description: 'The autonomous system of the IP address.',
  }),
  address_kind: choiceFilter<AddressKind>(addressKinds, {
    title: 'Kind of address',
    description: 'The kind of the IP address.',
  }),
  min_score: scoreFilter({ title: 'Risk score from', description: 'The lowest `risk.score`.' }),
  below_score: scoreFilter({ title: 'Risk score below', description: '`risk.score` is lower.' }),
  label: choiceFilter<FeedbackLabel | 'none'>(labels, {
    title: 'Label',
    description: 'The label that feedback gave it.',
  }),
  challenge: choiceFilter<ChallengeStatus | 'none'>(challenges, {
    title: 'Challenge',
    description: 'The status of its challenge; `none` without one.',
  }),
  matched_by: choiceFilter<MatchedBy>(matches, {
    title: 'Recognised by',
    description: 'How the browser was recognised.',
  }),
  rule: {
    title: 'Rule',
    description: 'The name of a rule that matched it, on or in shadow.',
    form: 'the name of a rule',
    example: 'Large payout',
    read: (text) => normaliseValue('user', text),
  } satisfies Filter<string>,
  tag: {
    title: 'Tag',
    description: 'A tag that a rule put on it.',
    form: tagForm,
    example: 'large-payout',
    read: (text) => (tagPattern.test(text) ? text : undefined),
  } satisfies Filter<string>,
} as const;

/** Values of the filters that are set, in their normal form. */
export type EvaluationFilter = FilterValues<typeof evaluationFilters>;
