import { html } from 'hono/html';
import type { SearchRow } from '../../effects/rule-finder/queries.js';
import type { Found, FoundRule, LabelledPeople, Tested } from '../../effects/rule-finder/rules/find.js';
import { searchedDays, targetLimits } from '../../effects/rule-finder/rules/limits.js';
import type { SearchReport } from '../../effects/rule-finder/rules/report.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import {
  badge,
  type Cell,
  definitionList,
  emptyState,
  field,
  form,
  type Html,
  section,
  table,
  time,
  wholeNumber,
} from '../view/parts.js';
import { percent, reloadSeconds } from './replay-view.js';

/** Target as entered, in per cent. */
export interface FinderForm {
  readonly caught: string;
  readonly honest: string;
  /** By field. */
  readonly errors: ReadonlyMap<string, string>;
}

interface FinderView {
  readonly entered: FinderForm;
  /** Newest first. */
  readonly searches: readonly SearchRow[];
}

/** Renders the form of a search, and the newest searches. */
export function finderPage(frame: WorldFrame, { entered, searches }: FinderView): DashboardPage {
  const { base } = frame;
  return {
    section: 'rules',
    title: 'Find a rule',
    body: html`<p><a href="${base}/rules">All rules</a></p>
${section('Search', [
  html`<p>Searches for the shortest rule that catches fraud, in the evaluations of this mode in the last ${searchedDays} days that are labelled as fraud or legitimate. Evaluations without a label are not used. Nothing is switched on: you get a condition with its figures, to try and to save.</p>`,
  form(frame, { action: `${base}/rules/finder`, submit: 'Search', content: fieldsOf(entered) }),
])}
${searches.length > 0 && section('Newest searches', searchesTable(base, searches))}`,
  };
}

function fieldsOf({ caught, honest, errors }: FinderForm): Html[] {
  const share = (name: 'caught' | 'honest', label: string, value: string) =>
    field({
      type: 'number',
      name,
      label,
      value,
      step: 'any',
      required: true,
      ...targetLimits[name],
      error: errors.get(name),
    });
  return [
    share('caught', 'Catch at least this share of people with fraud, in per cent', caught),
    share('honest', 'Match at most this share of honest people, in per cent', honest),
  ];
}

function searchesTable(base: string, searches: readonly SearchRow[]): Html {
  const rows = searches.map(({ id, target, status, report, created_at }): Cell[] => [
    time(created_at),
    html`<a href="${base}/rules/finder/${id}">${targetWords(target)}</a>`,
    badge(status === 'finished' && report?.found ? outcomeWords[report.found.outcome] : status),
  ]);
  return table(['Time', 'Target', 'Result'], rows, 'Newest searches');
}

const outcomeWords = { proven: 'found', unproven: 'not shown', none: 'none', too_few: 'too few labels' } as const;

function targetWords({ caught, honest }: SearchRow['target']): string {
  return `at least ${percent(caught)} of fraud, at most ${percent(honest)} of honest people`;
}

const stageWords: Readonly<Record<SearchReport['stage'], string>> = {
  reading: 'Labelled evaluations are read.',
  searching: 'Rules are tried on one half of the labelled people.',
  counting: 'The matches among all evaluations are counted.',
  done: '',
};

/** Renders a search: its progress, or its result. */
export function searchPage(frame: WorldFrame, search: SearchRow): DashboardPage {
  const { id, status, report, target } = search;
  const path = `${frame.base}/rules/finder`;
  const isActive = status === 'waiting' || status === 'running';
  return {
    section: 'rules',
    title: 'Search for a rule',
    ...(isActive && { headers: { Refresh: String(reloadSeconds) } }),
    body: html`<p><a href="${path}">All searches</a></p>
${section('Search', [
  definitionList([
    ['Target', targetWords(target)],
    ['Labelled evaluations', report?.read],
    ['Of these, without all facts', report?.skipped],
  ]),
  statusWords(search),
  report?.isPartial
    ? html`<p>There are more labelled evaluations than a search reads. It covers the newest ones.</p>`
    : undefined,
  isActive
    ? html`<p><a href="${path}/${id}">Reload</a></p>${form(frame, { action: `${path}/${id}/cancel`, submit: 'Cancel', small: true })}`
    : undefined,
])}
${status === 'finished' && report?.found && resultPart(frame, search, { report, found: report.found })}`,
  };
}

function statusWords({ status, report }: SearchRow): Html | undefined {
  const words = {
    waiting: 'The search begins in a few seconds.',
    running: `${stageWords[report?.stage ?? 'reading']} This page reloads by itself.`,
    finished: undefined,
    cancelled: 'The search was cancelled.',
    failed: 'The search failed because of an internal error, which the log of the service describes. Try again.',
  }[status];
  return words === undefined ? undefined : html`<p role="status">${words}</p>`;
}

interface Result<Of extends Found = Found> {
  readonly report: SearchReport;
  readonly found: Of;
}

function resultPart(frame: WorldFrame, search: SearchRow, { report, found }: Result): Html {
  if (found.outcome === 'too_few') return section('Too few labels', tooFew(found.labelled, found.needed));
  if (found.outcome === 'none') {
    return section(
      'Result',
      emptyState('No rule catches fraud without matching more honest people than the target allows.'),
    );
  }
  return section('Found rule', rulePart(frame, search, { report, found }));
}

function tooFew(labelled: LabelledPeople, needed: LabelledPeople): Html {
  const row = (label: string, of: keyof LabelledPeople): Cell[] => [badge(label), labelled[of], needed[of]];
  return html`<p>The labels cannot show that any rule reaches this target. Label more evaluations, or allow a larger share of honest people or a smaller share of fraud.</p>
${table(['Label', { title: 'People', number: true }, { title: 'Needed', number: true }], [row('fraud', 'fraud'), row('legitimate', 'honest')], 'Labelled people')}`;
}

function rulePart(frame: WorldFrame, { id, target }: SearchRow, { report, found }: Result<FoundRule>): Html[] {
  const { when, fraud, honest, outcome } = found;
  const { matched, counted } = report;
  return [
    outcome === 'proven'
      ? html`<p>On people who were held out, the rule reaches the target.</p>`
      : html`<p><strong>The held-out people do not show that the rule reaches the target.</strong> It is the best one that was found: compare its bounds with the target (${targetWords(target)}).</p>`,
    html`<p><code>${when}</code></p>`,
    definitionList([
      ['People with fraud whom it catches', share(fraud, 'at least')],
      ['Honest people who match', share(honest, 'at most')],
      [
        'All evaluations that match',
        counted === 0
          ? undefined
          : html`${percent(matched / counted)} <span class="quiet">(${wholeNumber(matched)} of ${wholeNumber(counted)})</span>`,
      ],
    ]),
    html`<p><a class="button" href="${frame.base}/rules/new?search=${id}">Use this rule as a draft</a></p>`,
    html`<p class="quiet">The rule was chosen on one half of the labelled people and tested once on the others. Both bounds hold together with 95% for further people like the labelled ones; fraud of a new kind may look different. Of several evaluations of one person with fraud, one counts; an honest person matches if one evaluation does. Evaluations without a label count as neither. Each further search is another try, of which one in 20 may be wrong.</p>`,
  ];
}

function share({ hits, people, bound }: Tested, words: string): Html {
  return html`${percent(hits / people)}, ${words} ${percent(bound)} <span class="quiet">(${wholeNumber(hits)} of ${wholeNumber(people)})</span>`;
}
