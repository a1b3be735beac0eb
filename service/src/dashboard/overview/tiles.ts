import { html } from 'hono/html';
import type { Overview, Period } from '../../effects/activity/rules.js';
import { hourSeconds, minuteSeconds } from '../../ground/time.js';
import type { WorldFrame } from '../view/layout.js';
import { type Html, wholeNumber } from '../view/parts.js';
import type { ComparedOverview } from './load.js';

/** Figure of a period. */
interface Tile {
  readonly title: string;
  /** Undefined if it cannot be computed. */
  readonly valueOf: (overview: Overview) => number | undefined;
  readonly write: (value: number) => string;
  /** Whether it is a share, which is compared in percentage points. Default: false. */
  readonly isShare?: boolean;
  /** Filter of the evaluations that are counted. */
  readonly evaluations?: Readonly<Record<string, string>>;
  /** Filter of the challenges that are counted. */
  readonly challenges?: Readonly<Record<string, string>>;
}

const shareAllowed = ({ evaluations, verdicts }: Overview) =>
  evaluations === 0 ? undefined : (verdicts.find(({ label }) => label === 'allow')?.total ?? 0) / evaluations;

const all: readonly Tile[] = [
  {
    title: 'Evaluations',
    valueOf: ({ evaluations }) => evaluations,
    write: wholeNumber,
    evaluations: { outcome: 'succeeded' },
  },
  {
    title: 'Allowed',
    valueOf: shareAllowed,
    write: percent,
    isShare: true,
    evaluations: { outcome: 'succeeded', verdict: 'allow' },
  },
  {
    title: 'Failed attempts',
    valueOf: ({ failedAttempts }) => failedAttempts,
    write: wholeNumber,
    evaluations: { outcome: 'failed' },
  },
  { title: 'Challenges', valueOf: ({ challenges }) => challenges, write: wholeNumber, challenges: {} },
  {
    title: 'Completion rate',
    valueOf: ({ completedShare }) => completedShare,
    write: percent,
    isShare: true,
    challenges: { status: 'completed' },
  },
  { title: 'Median time to complete', valueOf: ({ medianSeconds }) => medianSeconds, write: duration },
  { title: 'Sharing signals', valueOf: ({ sharing: [signals] }) => signals?.total ?? 0, write: wholeNumber },
];

/** Renders the figures of a period, each with its change to the period before and a link to what it counts. */
export function tiles({ base }: Pick<WorldFrame, 'base'>, overview: ComparedOverview): Html {
  const tile = (each: Tile) => {
    const value = each.valueOf(overview);
    const shown = value === undefined ? '–' : each.write(value);
    const rows = rowsOf(each, overview.period);
    const figure = rows === undefined ? shown : html`<a href="${base}/${rows}">${shown}</a>`;
    return html`<div><dt>${each.title}</dt><dd>${figure}</dd>${change(each, value, each.valueOf(overview.before))}</div>`;
  };
  return html`<dl class="tiles">${all.map(tile)}</dl>`;
}

/** Returns the page with what a figure counts. */
function rowsOf({ evaluations, challenges }: Tile, period: Period): string | undefined {
  const [list, filter] = evaluations ? ['evaluations', evaluations] : ['challenges', challenges];
  return filter && `${list}?${new URLSearchParams({ ...filter, start_date: startOf(period) })}`;
}

function change({ isShare = false, write }: Tile, value: number | undefined, before: number | undefined) {
  if (value === undefined || before === undefined || (before === 0 && !isShare)) return undefined;
  return html`<dd class="change" title="${write(before)} in the period before">${differenceOf(value, before, isShare)}</dd>`;
}

function differenceOf(value: number, before: number, isShare: boolean): string {
  const difference = isShare ? 100 * (value - before) : (100 * (value - before)) / before;
  const rounded = Math.round(Math.abs(difference) * (isShare ? 10 : 1)) / (isShare ? 10 : 1);
  if (rounded === 0) return 'as before';
  const sign = difference > 0 ? '+' : '−';
  return `${sign}${rounded.toLocaleString('en-GB')}${isShare ? ' points' : '%'}`;
}

/** Returns the start of a period, as filters take it. */
export function startOf({ starts: [first] }: Period): string {
  return first.toISOString();
}

export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return '< 0.1%';
  return `${(share * 100).toLocaleString('en-GB', { maximumFractionDigits: share < 0.1 ? 1 : 0 })}%`;
}

/** Returns a rough duration: the median is only known to within 5%. */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * minuteSeconds) return `${Math.round(seconds / minuteSeconds)} min`;
  return `${Math.round(seconds / hourSeconds)} h`;
}
