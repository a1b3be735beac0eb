import { html } from 'hono/html';
import { scoreStep, type Total } from '../../effects/activity/rules.js';
import { countryName } from '../view/address.js';
import type { WorldFrame } from '../view/layout.js';
import { type Html, numberColumn, section, table } from '../view/parts.js';
import type { ComparedOverview } from './load.js';
import { percent, startOf } from './tiles.js';

const maxShown = 8;

/** What evaluations are counted by, as a part of the overview. */
interface Distribution {
  readonly title: string;
  readonly column: string;
  readonly totals: readonly Total[];
  readonly before: readonly Total[];
  /** Name of a label. */
  readonly nameOf: (label: string) => string;
  /** Filter of the evaluations with a label. */
  readonly filterOf: (label: string) => Readonly<Record<string, string>>;
}

/** Renders how evaluations are distributed over risk scores, countries and networks, against the period before. */
export function distributions(frame: Pick<WorldFrame, 'base'>, overview: ComparedOverview): Html {
  const { before } = overview;
  const shown: readonly Distribution[] = [
    {
      title: 'Risk scores',
      column: 'Score',
      totals: overview.scores,
      before: before.scores,
      nameOf: (label) => `${label} to ${Number(label) + scoreStep}`,
      filterOf: (label) => ({
        min_score: label,
        ...(Number(label) + scoreStep < 100 && { below_score: String(Number(label) + scoreStep) }),
      }),
    },
    {
      title: 'Countries',
      column: 'Country',
      totals: overview.countries.slice(0, maxShown),
      before: before.countries,
      nameOf: countryName,
      filterOf: (label) => ({ country: label }),
    },
    {
      title: 'Networks',
      column: 'Network',
      totals: overview.networks.slice(0, maxShown),
      before: before.networks,
      nameOf: (label) => `AS${label}`,
      filterOf: (label) => ({ asn: label.split(' ', 1)[0] ?? '' }),
    },
  ];
  const known = shown.filter(({ totals }) => totals.length > 0);
  return html`<div class="grid">${known.map((one) => distribution(frame, overview, one))}</div>`;
}

function distribution(
  { base }: Pick<WorldFrame, 'base'>,
  { evaluations, before, period }: ComparedOverview,
  { title, column, totals, before: earlier, nameOf, filterOf }: Distribution,
): Html {
  const highest = Math.max(...totals.map(({ total }) => total), 1);
  const share = (count: number, all: number) => (all === 0 ? '–' : percent(count / all));
  const rows = totals.map(({ label, total }) => {
    const query = new URLSearchParams({ ...filterOf(label), outcome: 'succeeded', start_date: startOf(period) });
    const path = `${base}/evaluations?${query}`;
    const previous = earlier.find((one) => one.label === label)?.total ?? 0;
    return [
      html`<a href="${path}" class="measured">${nameOf(label)} ${bar(total / highest)}</a>`,
      total,
      share(total, evaluations),
      share(previous, before.evaluations),
    ];
  });
  const columns = [column, numberColumn('Evaluations'), numberColumn('Share'), numberColumn('Before')];
  return section(title, table(columns, rows, title));
}

/** Renders a bar. The figures beside it say the same. */
function bar(share: number): Html {
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${(share * 100).toFixed(1)}" height="10"/></svg>`;
}
