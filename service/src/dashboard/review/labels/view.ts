import { html } from 'hono/html';
import { reasons } from 'whorl/wire';
import { wilson } from '../../../effects/study/rules/figures.js';
import { type Place, reasonTitle } from '../../view/cells.js';
import type { DashboardPage } from '../../view/layout.js';
import {
  badge,
  type Cell,
  emptyState,
  type Html,
  numberColumn,
  section,
  table,
  wholeNumber,
} from '../../view/parts.js';
import { labelDays, maxLabels } from './load.js';
import type { Counted, LabelCount, LabelCounts } from './queries.js';

const parts: readonly { readonly kind: Counted; readonly title: string; readonly column: string }[] = [
  { kind: 'verdict', title: 'Verdicts', column: 'Verdict' },
  { kind: 'reason', title: 'Reasons', column: 'Reason' },
  { kind: 'rule', title: 'Rules', column: 'Rule' },
  { kind: 'shadow', title: 'Rules in shadow', column: 'Rule' },
  { kind: 'tag', title: 'Tags', column: 'Tag' },
];

/** Renders how well verdicts, reasons and rules tell fraud from legitimate actions, by labels. */
export function labelsPage(place: Place, labels: LabelCounts): DashboardPage {
  const { fraud, legitimate, counts } = labels;
  const tables = parts.flatMap(({ kind, title, column }) => {
    const own = counts.filter((count) => count.kind === kind);
    return own.length === 0 ? [] : section(title, countsTable(column, own, labels));
  });
  return {
    title: 'Precision and recall',
    section: 'review',
    body: html`<p class="quiet"><a href="${place.base}/review">Review queue</a>. Labels of evaluations from the last ${labelDays} days: ${wholeNumber(fraud)} fraud, ${wholeNumber(legitimate)} legitimate.${fraud + legitimate >= maxLabels && ` Only the newest ${wholeNumber(maxLabels)} are counted.`}</p>
${section('What these figures mean', explanation)}
${tables.length > 0 ? tables : emptyState('No labels yet. Label evaluations in the review queue, on their pages, or by the API.')}`,
  };
}

const explanation = html`<ul>
<li><strong>Precision</strong>: of the labelled evaluations with it, the share that was fraud.</li>
<li><strong>Recall</strong>: of all that were labelled as fraud, the share with it.</li>
<li>In brackets is the 95% interval (Wilson). With few labels it is wide.</li>
<li>What was denied has no outcome. Without a label, it is unknown whether it was fraud, and it counts for nothing here. Labels of what somebody chose to look at say little about the rest: also label some of what was allowed.</li>
</ul>`;

function countsTable(column: string, counts: readonly LabelCount[], all: LabelCounts): Html {
  const rows = counts.map(({ kind, name, fraud, legitimate }): Cell[] => [
    nameOf(kind, name),
    fraud,
    legitimate,
    shareText(fraud, fraud + legitimate),
    shareText(fraud, all.fraud),
  ]);
  const columns = [
    column,
    numberColumn('Fraud'),
    numberColumn('Legitimate'),
    numberColumn('Precision'),
    numberColumn('Recall'),
  ];
  return table(columns, rows, `Labels by ${column.toLowerCase()}`);
}

function nameOf(kind: Counted, name: string): Cell {
  if (kind === 'verdict') return badge(name);
  const reason = kind === 'reason' ? reasons.find((each) => each === name) : undefined;
  return reason ? reasonTitle(reason) : name;
}

/** Returns a share with its interval: "75% (30–95%)". Undefined if there is nothing that it could be a share of. */
function shareText(hits: number, count: number): Cell {
  if (count === 0) return undefined;
  const { low, high } = wilson(hits, count);
  const rounded = (share: number) => Math.round(share * 100);
  return html`<span class="whole">${rounded(hits / count)}% (${rounded(low)}–${rounded(high)}%)</span>`;
}
