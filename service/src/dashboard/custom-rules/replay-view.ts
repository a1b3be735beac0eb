import { html } from 'hono/html';
import type { Verdict } from 'whorl/wire';
import { replayDays } from '../../effects/rule-replay/rules/limits.js';
import type { Labelled, ReplayReport } from '../../effects/rule-replay/rules/report.js';
import { maxExamples } from '../../effects/rule-replay/rules/report.js';
import { wilson } from '../../effects/study/rules/figures.js';
import { isMark } from '../../evaluation/rules/decision.js';
import type { Rule } from '../../resources/projects/rules/conditions/rule.js';
import { evaluationLink, userLink } from '../view/cells.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import {
  badge,
  type Cell,
  definitionList,
  emptyState,
  form,
  type Html,
  numberColumn,
  section,
  table,
  time,
  wholeNumber,
} from '../view/parts.js';
import type { ShownChange, ShownReplay } from './replay-load.js';
import { effectCell } from './rule-view.js';

const statusWords = {
  waiting: 'The replay begins in a few seconds.',
  running: 'The replay is running. This page reloads by itself.',
  finished: '',
  cancelled: 'The replay was cancelled. The figures are those of the evaluations until then.',
  failed: 'The replay failed because of an internal error, which the log of the service describes. Try again.',
} as const;

/** Seconds after which a browser reloads the page of a replay that has not ended. */
export const reloadSeconds = 2;

/** Renders a replay: its progress, or its result. */
export function replayPage(frame: WorldFrame, replay: ShownReplay): DashboardPage {
  const { base } = frame;
  const { id, rule, status, report, isActive } = replay;
  const edit = `${base}/rules/${replay.isNew ? 'new' : replay.position + 1}?replay=${id}`;
  return {
    section: 'rules',
    title: `Replay: ${rule.name}`,
    ...(isActive && { headers: { Refresh: String(reloadSeconds) } }),
    body: html`<p><a href="${base}/rules">All rules</a></p>
${section('Tried rule', [ruleOf(rule), html`<p><a class="button" href="${edit}">Change or save this rule</a></p>`])}
${section('Result', [
  statusWords[status] === '' ? undefined : html`<p role="status">${statusWords[status]}</p>`,
  report ? figures(report) : undefined,
  isActive
    ? html`<p><a href="${base}/rules/replays/${id}">Reload</a></p>${form(frame, { action: `${base}/rules/replays/${id}/cancel`, submit: 'Cancel', small: true })}`
    : undefined,
])}
${report && !isActive && resultParts(frame, replay, report)}`,
  };
}

function ruleOf({ name, when, actions, ...rule }: Rule): Html {
  return definitionList([
    ['Name', name],
    ['Condition', html`<code>${when}</code>`],
    ['Effect', effectCell(rule)],
    ['Actions', actions.length === 0 ? 'all' : actions.join(', ')],
  ]);
}

function figures({ replayed, skipped, since, matched, failed, matchedLabels }: ReplayReport): Html {
  return definitionList([
    ['Replayed evaluations', replayed],
    ['Cannot be replayed', skipped],
    ['Back to', since === undefined ? undefined : time(since)],
    ['The rule matched', matched],
    ...(matchedLabels ? [['Of these', labelsText(matched, matchedLabels)] as const] : []),
    ['The rule failed', failed],
  ]);
}

/** Says how many matches have each label, with the precision of the rule. */
function labelsText(matched: number, { fraud, legitimate }: NonNullable<ReplayReport['matchedLabels']>): Cell {
  const labelled = fraud + legitimate;
  const counts = `${wholeNumber(fraud)} labelled fraud, ${wholeNumber(legitimate)} legitimate, ${wholeNumber(matched - labelled)} unknown`;
  return labelled === 0 ? counts : html`${counts}. Precision: ${share(fraud, labelled)}`;
}

function resultParts(frame: WorldFrame, { mode, changed, rule }: ShownReplay, report: ReplayReport): Html {
  const shown = isMark(rule.effect) ? 'match' : 'change';
  const listed = isMark(rule.effect) ? report.matched : total(report);
  const sum = total(report);
  return html`${section('What would change', [
    html`<p>Compared with the saved rules, ${wholeNumber(sum)} of ${wholeNumber(report.replayed)} evaluations of the ${mode} mode in the last ${replayDays} days would have another verdict${report.replayed > 0 && html`: ${share(sum, report.replayed)}`}.${isMark(rule.effect) && ` ${markText(rule, report)}`}</p>`,
    report.isPartial
      ? html`<p>There are more evaluations than a replay reads. It covers the newest ones.</p>`
      : undefined,
    report.changes.length === 0 ? emptyState('No verdict would change.') : changesTable(report),
    html`<p class="quiet">An evaluation without a label is unknown, also one that was denied: nobody knows how it would have ended. In observe mode, verdicts are those that would be enforced. Some evaluations cannot be replayed: those of older versions, those from before a saved rule named a counter that the rules read, and failed attempts if a rule reads what is not stored for them.</p>`,
  ])}
${section('Labelled evaluations', [
  labelsTable(report),
  html`<p class="quiet">With 95% intervals, as if the labelled evaluations were a random sample. They rarely are: people label what looks suspicious.</p>`,
])}
${changed.length > 0 && section(listed > maxExamples ? `The newest ${maxExamples} that ${shown}` : `Evaluations that ${shown}`, examplesTable(frame, changed, `Evaluations that ${shown}`))}`;
}

/** Says what a rule that leaves the verdict as it is would have done. */
function markText({ effect, tag }: Rule, { matched }: ReplayReport): string {
  const evaluations = matched === 1 ? '1 evaluation' : `${wholeNumber(matched)} evaluations`;
  if (effect === 'review') return `${evaluations} would have waited for a review.`;
  return `${evaluations} would have the ${effect === 'tag' ? `tag ${tag}` : 'reason Rule'}.`;
}

function total({ changes }: ReplayReport): number {
  return changes.reduce((sum, { fraud, legitimate, unknown }) => sum + fraud + legitimate + unknown, 0);
}

function changesTable({ changes }: ReplayReport): Html {
  const sizeOf = ({ fraud, legitimate, unknown }: ReplayReport['changes'][number]) => fraud + legitimate + unknown;
  const rows = [...changes]
    .sort((one, other) => sizeOf(other) - sizeOf(one))
    .map((change): Cell[] => [
      arrow(change.from, change.to),
      sizeOf(change),
      change.fraud,
      change.legitimate,
      change.unknown,
    ]);
  const columns = [
    'Verdict',
    numberColumn('Evaluations'),
    numberColumn('Labelled fraud'),
    numberColumn('Labelled legitimate'),
    numberColumn('Unknown'),
  ];
  return table(columns, rows, 'Changes of verdicts');
}

function arrow(from: Verdict, to: Verdict): Html {
  return html`<div class="row">${badge(from)} <span aria-label="becomes">→</span> ${badge(to)}</div>`;
}

function labelsTable({ labels }: ReplayReport): Html {
  const row = (label: string, { total, stricter, milder }: Labelled): Cell[] => [
    badge(label),
    total,
    total === 0 ? undefined : html`<div>${wholeNumber(stricter)}: ${share(stricter, total)}</div>`,
    total === 0 ? undefined : html`<div>${wholeNumber(milder)}: ${share(milder, total)}</div>`,
  ];
  const columns = ['Label', numberColumn('Replayed'), 'Stricter', 'Milder'];
  return table(columns, [row('fraud', labels.fraud), row('legitimate', labels.legitimate)], 'Labelled evaluations');
}

/** Renders a share with its 95% interval. */
function share(hits: number, total: number): Html {
  const { low, high } = wilson(hits, total);
  return html`${percent(hits / total)} <span class="quiet">(${percent(low)} to ${percent(high)})</span>`;
}

/** Renders a share in per cent. */
export function percent(value: number): string {
  const digits = value > 0 && value < 0.01 ? 3 : 1;
  return `${(100 * value).toFixed(digits)}%`;
}

function examplesTable(frame: WorldFrame, changed: readonly ShownChange[], caption: string): Html {
  const rows = changed.map(({ id, from, to, created_at, user_id, external_user, action, feedback_label }): Cell[] => [
    time(created_at),
    userLink(frame, user_id, external_user),
    action,
    from === to ? badge(to) : arrow(from, to),
    feedback_label === null ? undefined : badge(feedback_label),
    evaluationLink(frame, id, 'Open'),
  ]);
  return table(['Time', 'User', 'Action', 'Verdict', 'Label', 'Evaluation'], rows, caption);
}
