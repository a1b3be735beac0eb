import { html } from 'hono/html';
import type { Period, Series } from '../../effects/activity/rules.js';
import { type Html, table } from './parts.js';

/** Series of a chart. */
export interface ChartSeries extends Series {
  /** Name of a colour in the style sheet, without the leading dashes. */
  readonly colour: string;
}

const zone = { timeZone: 'UTC' } as const;
const hourFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...zone });
const weekFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', hour: '2-digit', minute: '2-digit', ...zone });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...zone });
const formats = { '24h': hourFormat, '7d': weekFormat, '30d': dayFormat, '90d': dayFormat };

/**
 * Renders figures over time as a chart and as a table. The table is for screen readers and for browsers without scripts.
 */
export function figures(title: string, { name, starts }: Period, series: readonly ChartSeries[]): Html {
  const labels = starts.map((start) => formats[name].format(start));
  const chart = { labels, series: series.map(({ label, colour, counts }) => ({ label, colour, counts })) };
  const columns = ['From (UTC)', ...series.map(({ label }) => ({ title: label, number: true }) as const)];
  const rows = labels.map((label, at) => [label, ...series.map(({ counts }) => counts[at] ?? 0)]);
  return html`<div class="figures">
<div class="chart" hidden><canvas data-chart="${JSON.stringify(chart)}" role="img" aria-label="${title}. The table below lists the figures."></canvas></div>
<details open><summary>Figures</summary><div class="wide">${table(columns, rows, title)}</div></details>
</div>`;
}
