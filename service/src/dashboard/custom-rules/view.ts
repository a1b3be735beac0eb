import { html } from 'hono/html';
import { rulePresets } from '../../resources/projects/rules/conditions/presets.js';
import { maxRules, type Rule } from '../../resources/projects/rules/conditions/rule.js';
import { differencesOf } from '../../resources/projects/rules/project-settings/log.js';
import type { LogPage } from '../../resources/projects/setting-log.js';
import { difference } from '../settings/view.js';
import { evaluationsPath } from '../view/cells.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import {
  badge,
  type Cell,
  emptyState,
  form,
  type Html,
  hidden,
  section,
  table,
  time,
  wholeNumber,
} from '../view/parts.js';
import type { Results } from './load.js';
import type { ListedReplay } from './replay-load.js';
import { effectCell } from './rule-view.js';

interface RulesView {
  readonly rules: readonly Rule[];
  readonly version: string;
  readonly versions: LogPage | undefined;
  readonly results: Results;
  readonly replays: readonly ListedReplay[];
}

/** Renders the rules in their order, presets, and earlier versions. */
export function rulesPage(frame: WorldFrame, view: RulesView): DashboardPage {
  const { base } = frame;
  const mayChange = frame.can('change_settings');
  return {
    section: 'rules',
    title: 'Rules',
    body: html`<p class="quiet">Of the rules that are on and match, the first one with a verdict decides in place of the policy. Only blocks, and entries of lists that allow, come before it. Rules apply to the live and the test mode, within one second.</p>
${section('Rules', [
  view.rules.length === 0 ? emptyState('There are no rules. The policy decides.') : rulesTable(frame, view, mayChange),
  view.rules.length > 0 ? resultsNote(view.results) : undefined,
  mayChange && view.rules.length < maxRules
    ? html`<p class="row"><a class="button" href="${base}/rules/new">Add a rule</a> <a href="${base}/rules/finder">Find a rule by labels</a></p>`
    : undefined,
])}
${mayChange && section('Examples', presetsPart(base))}
${view.replays.length > 0 && section('Replays', replaysPart(base, view.replays))}
${view.versions && versionsPart(frame, view, view.versions, mayChange)}`,
  };
}

function rulesTable(frame: WorldFrame, { rules, version, results }: RulesView, mayChange: boolean): Html {
  const matched = { title: 'Matched', number: true } as const;
  const columns = ['Order', 'Rule', 'Effect', 'Actions', 'State', matched, ...(mayChange ? ['Change'] : [])];
  const rows = rules.map((rule, index): Cell[] => [
    index + 1,
    html`<div><strong>${rule.name}</strong><br/><code>${rule.when}</code></div>`,
    effectCell(rule),
    rule.actions.length === 0 ? 'all' : rule.actions.join(', '),
    rule.state,
    matchedCell(frame, rule.name, results),
    mayChange ? changeCell(frame, rule, { index, last: rules.length - 1, version }) : undefined,
  ]);
  return table(columns, rows, 'Rules');
}

/** Renders how often a rule matched, with a link to these evaluations. */
function matchedCell(frame: WorldFrame, rule: string, { countsOf, isComplete, since }: Results): Html {
  const { matched, failed } = countsOf(rule);
  const failing = failed > 0 && badge(`failing ${wholeNumber(failed)} ${failed === 1 ? 'time' : 'times'}`, 'bad');
  const path = evaluationsPath(frame, { rule, ...(!isComplete && since && { start_date: since.toISOString() }) });
  const link = html`<a href="${path}" aria-label="Evaluations that ${rule} matched: ${wholeNumber(matched)}">${wholeNumber(matched)}</a>`;
  return html`<div>${matched > 0 ? link : 0} ${failing}</div>`;
}

/** Says what the numbers of matches count. */
function resultsNote({ evaluations, since }: Results): Html {
  return since === null
    ? html`<p class="quiet">There are no evaluations yet in this mode, so no rule has matched.</p>`
    : html`<p class="quiet">Matched counts the newest ${wholeNumber(evaluations)} evaluations of this mode, since ${time(since)}, by the rule's name. It includes rules in shadow. A rule fails when its condition cannot be evaluated, such as a comparison of a text with a number; it then counts as not matched.</p>`;
}

interface Place {
  readonly index: number;
  readonly last: number;
  readonly version: string;
}

function changeCell(frame: WorldFrame, { name }: Rule, { index, last, version }: Place): Html {
  const path = `${frame.base}/rules/${index + 1}`;
  const move = (direction: 'up' | 'down', label: string) =>
    form(frame, {
      action: `${path}/move`,
      submit: label,
      small: true,
      content: html`${hidden('version', version)}${hidden('direction', direction)}`,
    });
  return html`<div class="row"><a href="${path}" aria-label="Change: ${name}">Change</a>
${index > 0 && move('up', 'Up')}${index < last && move('down', 'Down')}</div>`;
}

function presetsPart(base: string): Html {
  const rows = rulePresets.map(({ id, use, rule }) => [
    use,
    html`<div>${rule.name}<br/><code>${rule.when}</code></div>`,
    rule.actions.join(', '),
    html`<a href="${base}/rules/new?preset=${id}" aria-label="Use: ${rule.name}">Use</a>`,
  ]);
  return table(['For', 'Rule', 'Actions', 'Add'], rows, 'Examples of rules');
}

function replaysPart(base: string, replays: readonly ListedReplay[]): Html {
  const rows = replays.map(({ id, name, status, at }): Cell[] => [
    time(at),
    html`<a href="${base}/rules/replays/${id}">${name}</a>`,
    badge(status),
  ]);
  return table(['Time', 'Rule', 'Status'], rows, 'Newest replays');
}

function versionsPart(frame: WorldFrame, { version }: RulesView, { entries, next }: LogPage, mayChange: boolean): Html {
  if (entries.length === 0) return section('Changes', emptyState('No changes yet.'));
  const columns = ['Time', 'Changed by', 'Change', ...(mayChange ? ['Undo'] : [])];
  const rows = entries.map(({ id, at, changedBy, changes }): Cell[] => [
    time(at),
    changedBy,
    html`<ul class="plain">${differencesOf({ rules: changes.rules }).map((each) => html`<li>${difference(each)}</li>`)}</ul>`,
    mayChange
      ? form(frame, {
          action: `${frame.base}/rules/versions/restore`,
          submit: 'Restore earlier rules',
          small: true,
          content: html`${hidden('version', version)}${hidden('entry', id)}`,
        })
      : undefined,
  ]);
  const older =
    next === undefined
      ? undefined
      : html`<nav class="pager" aria-label="Pagination"><a href="${frame.base}/rules?before=${next}" rel="next">Older changes</a></nav>`;
  return section('Changes', [table(columns, rows, 'Changes of the rules'), older]);
}
