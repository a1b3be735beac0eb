import { html } from 'hono/html';
import type { UnusualRate, WatchedRate } from '../../effects/activity/unusual-rules.js';
import { hourMs } from '../../ground/time.js';
import type { WorldFrame } from '../view/layout.js';
import { type Html, section, time, wholeNumber } from '../view/parts.js';
import { type Attention, maxCountedReviews } from './attention.js';

const rateWords: Readonly<Record<WatchedRate, string>> = {
  evaluations: 'evaluations',
  challenges: 'challenged evaluations',
  denials: 'denied evaluations',
  failures: 'failed attempts',
};

/** Renders what somebody should look at, with links. Undefined if there is nothing. */
export function attentionSection({ base }: Pick<WorldFrame, 'base'>, attention: Attention): Html | undefined {
  const { unusual, campaign, endpoints, failingRules, oldAddressData, reviews } = attention;
  const entries = [
    ...unusual.map((rate) => unusualEntry(base, rate, attention.unusualHour)),
    campaign > 0 &&
      html`${wholeNumber(campaign)} evaluations of the last 24 hours belong to <a href="${base}/evaluations?reason=credential_stuffing">a campaign of credential stuffing</a>.`,
    ...endpoints.map(
      ({ id, url, status }) =>
        html`A webhook endpoint ${status === 'off' ? 'is switched off' : 'fails'}: <a href="${base}/webhooks/${id}">${url}</a>.`,
    ),
    failingRules.length > 0 &&
      html`The condition of <a href="${base}/rules">${failingRules.length === 1 ? `the rule “${failingRules[0]}”` : `${failingRules.length} rules`}</a> fails, so it matches nothing then.`,
    oldAddressData.length > 0 &&
      html`<a href="${base}/addresses">Data about IP addresses</a> is old: ${oldAddressData.join(', ')}.`,
    reviews > 0 &&
      html`<a href="${base}/review">${reviews === maxCountedReviews ? `Over ${wholeNumber(reviews)}` : wholeNumber(reviews)} ${reviews === 1 ? 'evaluation waits' : 'evaluations wait'}</a> for a review.`,
  ].filter((entry) => entry !== false);
  if (entries.length === 0) return undefined;
  return section('Attention', html`<ul>${entries.map((entry) => html`<li>${entry}</li>`)}</ul>`);
}

function unusualEntry(base: string, { rate, count, usual }: UnusualRate, hour: Date): Html {
  const end = new Date(hour.getTime() + hourMs);
  const period = { start_date: hour.toISOString(), end_date: end.toISOString() };
  const query = new URLSearchParams({ ...period, ...filterOf[rate] });
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
