import { html } from 'hono/html';
import type { Reason } from 'whorl/wire';
import { largest, type Overview, periodNames, periods, type Series } from '../../effects/activity/rules.js';
import type { AlertCondition } from '../../effects/attention/rules/alert-condition.js';
import { chartLibrary, chartsFile } from '../assets.js';
import { reasonTitle } from '../view/cells.js';
import { type ChartSeries, figures } from '../view/figures.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { emptyState, type Html, section, table } from '../view/parts.js';
import { chartColourOf } from '../view/tones.js';
import { attentionSection } from './attention-view.js';
import { distributions } from './distributions-view.js';
import type { ComparedOverview } from './load.js';
import { percent, startOf, tiles } from './tiles.js';

/** Colours of series without a tone: those of verdicts and statuses have a meaning. */
const colours = ['violet', 'teal', 'pink', 'brown', 'grey', 'slate', 'lilac', 'aqua'].map((name) => `chart-${name}`);
/** Maximum number of series: one per colour, minus one for "others". */
const maxSeries = colours.length - 1;
const sharingTitles: Readonly<Record<Overview['sharing'][number]['label'], string>> = {
  'account_sharing.signal': 'signals',
  'account_sharing.admin_notified': 'notifications to administrators',
  'user.converted': 'converted users',
};

/** Renders the activity of a world within a period. */
export function overviewPage(
  frame: Pick<WorldFrame, 'base' | 'can'>,
  overview: ComparedOverview,
  { conditions, now }: { readonly conditions: readonly AlertCondition[]; readonly now: Date },
): DashboardPage {
  const hasFigures = overview.evaluations + overview.failedAttempts + overview.challenges > 0;
  return {
    title: 'Overview',
    section: 'overview',
    scripts: hasFigures ? [chartLibrary().url, chartsFile.url] : [],
    body: html`${attentionSection(frame, conditions, now)}
${periodChoice(frame, overview)}
${tiles(frame, overview)}
${hasFigures ? charts(frame, overview) : nothingYet}`,
  };
}

const nothingYet = emptyState('No evaluations or challenges in this period. Choose a longer one.');

function periodChoice({ base }: Pick<WorldFrame, 'base'>, { period }: Overview): Html {
  const choice = (name: (typeof periodNames)[number]) =>
    html`<li><a href="${base}/overview?period=${name}"${name === period.name && html` aria-current="true"`}>${periods[name].title}</a></li>`;
  return html`<nav class="choice" aria-label="Period"><ul>${periodNames.map(choice)}</ul></nav>`;
}

function charts(frame: Pick<WorldFrame, 'base'>, overview: ComparedOverview): Html {
  const { period, verdicts, observed, alternative, reasons, outcomes, sharing } = overview;
  const byTone = (series: readonly Series[]) =>
    series.map((one) => ({ ...withLabelText(one), colour: chartColourOf(one.label) }));
  const noticed = largest(reasons.map(withTitle), maxSeries).map((one, at) => ({
    ...one,
    colour: colours[at] ?? 'chart-grey',
  }));
  const shared: ChartSeries[] = sharing.map((one, at) => ({
    ...one,
    label: sharingTitles[one.label],
    colour: colours[at] ?? 'chart-grey',
  }));
  const isShared = sharing.some(({ total }) => total > 0);
  return html`<div class="grid">
${section('Verdicts', figures('Verdicts over time', period, byTone(verdicts)))}
${observed.length > 0 && section('Observed verdicts', figures('Observed verdicts over time', period, byTone(observed)))}
${
  alternative.length > 0 &&
  section(
    'Observed verdicts, judged the other way',
    figures('Observed verdicts over time, judged the other way', period, byTone(alternative)),
  )
}
${section('Reasons', reasons.length === 0 ? emptyState('No reasons in this period.') : figures('Reasons over time', period, noticed))}
${section('Challenges by creation time', figures('Challenges by outcome over time', period, byTone(outcomes)))}
${section('Account sharing', isShared ? figures('Account sharing over time', period, shared) : emptyState('No account sharing detected in this period.'))}
</div>
${distributions(frame, overview)}
${reasons.length > 0 && section('Frequency of reasons', reasonTable(frame, overview))}`;
}

function reasonTable({ base }: Pick<WorldFrame, 'base'>, { reasons, evaluations, period }: Overview): Html {
  const share = ({ total }: Series) => (evaluations === 0 ? '–' : percent(total / evaluations));
  const link = ({ label }: Series<Reason>) =>
    html`<a href="${base}/evaluations?${new URLSearchParams({ reason: label, outcome: 'succeeded', start_date: startOf(period) })}">${reasonTitle(label)}</a>`;
  const rows = reasons.map((one) => [link(one), one.total, share(one)]);
  const columns = ['Reason', { title: 'Evaluations', number: true }, { title: 'Share', number: true }] as const;
  return table(columns, rows, 'Frequency of reasons');
}

const withTitle = (series: Series<Reason>): Series => ({ ...series, label: reasonTitle(series.label) });

const withLabelText = (series: Series): Series => ({ ...series, label: series.label.replaceAll('_', ' ') });
