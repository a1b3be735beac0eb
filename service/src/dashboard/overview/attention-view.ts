import { html } from 'hono/html';
import type { WatchedRate } from '../../effects/activity/unusual-rules.js';
import { type AlertCondition, startOfRecent } from '../../effects/attention/rules/alert-condition.js';
import { hourMs } from '../../ground/time.js';
import type { WorldFrame } from '../view/layout.js';
import { type Html, section, time, wholeNumber } from '../view/parts.js';

const rateWords: Readonly<Record<WatchedRate, string>> = {
  evaluations: 'evaluations',
  challenges: 'challenged evaluations',
  denials: 'denied evaluations',
  failures: 'failed attempts',
};

type Frame = Pick<WorldFrame, 'base' | 'can'>;

/** Renders what somebody should look at, with links. Undefined if there is nothing. */
export function attentionSection(
  { base, can }: Frame,
  conditions: readonly AlertCondition[],
  now: Date,
): Html | undefined {
  const of = <Kind extends AlertCondition['kind']>(kind: Kind) =>
    conditions.filter((one): one is Extract<AlertCondition, { kind: Kind }> => one.kind === kind);
  const [rules, sources] = [of('failing_rule'), of('old_address_data')];
  // Without a mail transport, each page has a banner.
  const entries = [
    ...of('unusual_rate').map((rate) => unusualEntry(base, rate)),
    ...of('campaign').map(
      ({ evaluations }) =>
        html`${wholeNumber(evaluations)} ${evaluations === 1 ? 'evaluation of the last 24 hours belongs' : 'evaluations of the last 24 hours belong'} to <a href="${base}/evaluations?${new URLSearchParams({ ...campaignFilter, start_date: startOfRecent(now).toISOString() })}">a campaign of credential stuffing</a>.`,
    ),
    ...(can('manage_webhooks') ? of('failing_webhook') : []).map(
      ({ endpoint, url, status }) =>
        html`A webhook endpoint ${status === 'off' ? 'is switched off' : 'fails'}: <a href="${base}/webhooks/${endpoint}">${url}</a>.`,
    ),
    rules.length > 0 &&
      html`The condition of <a href="${base}/rules">${rules.length === 1 ? `the rule “${rules[0]?.rule}”` : `${rules.length} rules`}</a> fails, so it matches nothing then.`,
    sources.length > 0 &&
      html`<a href="${base}/addresses">Data about IP addresses</a> is old: ${sources.map(({ source }) => source).join(', ')}.`,
    ...of('waiting_reviews').map(
      ({ evaluations, areMore }) =>
        html`<a href="${base}/review">${areMore ? 'Over ' : ''}${wholeNumber(evaluations)} ${evaluations === 1 ? 'evaluation waits' : 'evaluations wait'}</a> for a review.`,
    ),
  ].filter((entry) => entry !== false);
  if (entries.length === 0) return undefined;
  return section('Attention', html`<ul>${entries.map((entry) => html`<li>${entry}</li>`)}</ul>`);
}

const campaignFilter = { reason: 'credential_stuffing', outcome: 'succeeded' };

function unusualEntry(
  base: string,
  { rate, count, usual, hour }: Extract<AlertCondition, { kind: 'unusual_rate' }>,
): Html {
  const end = new Date(Date.parse(hour) + hourMs);
  const query = new URLSearchParams({ start_date: hour, end_date: end.toISOString(), ...filterOf[rate] });
  return html`Unusual: <a href="${base}/evaluations?${query}">${wholeNumber(count)} ${rateWords[rate]}</a> in the hour from ${time(hour)}.
The same hour of earlier weeks had about ${wholeNumber(Math.round(usual))}.`;
}

/** Challenged evaluations can have two verdicts, so all are shown. */
const filterOf: Readonly<Record<WatchedRate, Readonly<Record<string, string>>>> = {
  evaluations: { outcome: 'succeeded' },
  challenges: { outcome: 'succeeded' },
  denials: { outcome: 'succeeded', verdict: 'deny' },
  failures: { outcome: 'failed' },
};
