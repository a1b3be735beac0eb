import { html } from 'hono/html';
import type { RuleEffect } from 'whorl/wire';
import { ruleEffects } from '../../ground/vocabulary.js';
import { withCode } from '../../http/pages/page-response.js';
import { maxConditionLength } from '../../resources/projects/rules/conditions/condition.js';
import { conditionFacts } from '../../resources/projects/rules/conditions/facts.js';
import { rulePresets } from '../../resources/projects/rules/conditions/presets.js';
import { maxRules, type Rule, ruleStates } from '../../resources/projects/rules/conditions/rule.js';
import { differencesOf } from '../../resources/projects/rules/project-settings/log.js';
import type { LogPage } from '../../resources/projects/setting-log.js';
import { difference } from '../settings/view.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { badge, type Cell, emptyState, field, form, type Html, section, table, time } from '../view/parts.js';

const effectWords: Readonly<Record<RuleEffect, string>> = {
  allow: 'Allow',
  restrict: 'Restrict',
  challenge: 'Challenge: ask for a code',
  challenge_and_restrict: 'Challenge and restrict',
  deny: 'Deny',
  review: 'Review: the policy decides, and the evaluation is marked',
  report: 'Report: the policy decides',
};

const stateWords: Readonly<Record<Rule['state'], string>> = {
  on: 'On',
  shadow: 'Shadow: evaluations show what it would do',
  off: 'Off',
};

/** Form of a rule, as entered or stored. */
export interface RuleForm {
  readonly name: string;
  readonly when: string;
  readonly effect: RuleEffect;
  /** Names, separated by commas. */
  readonly actions: string;
  readonly state: Rule['state'];
  /** Version of the rules that the form was filled with. */
  readonly version: string;
  /** Index of the rule. Undefined for a new one. */
  readonly position?: number;
  /** Problems by field, if the rule was refused. */
  readonly errors?: ReadonlyMap<string, string>;
}

interface RulesView {
  readonly rules: readonly Rule[];
  readonly version: string;
  readonly versions: LogPage | undefined;
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
  mayChange && view.rules.length < maxRules
    ? html`<p><a class="button" href="${base}/rules/new">Add a rule</a></p>`
    : undefined,
])}
${mayChange && section('Examples', presetsPart(base))}
${view.versions && versionsPart(frame, view, view.versions, mayChange)}`,
  };
}

function rulesTable(frame: WorldFrame, { rules, version }: RulesView, mayChange: boolean): Html {
  const columns = ['Order', 'Rule', 'Effect', 'Actions', 'State', ...(mayChange ? ['Change'] : [])];
  const rows = rules.map((rule, index): Cell[] => [
    index + 1,
    html`<div><strong>${rule.name}</strong><br/><code>${rule.when}</code></div>`,
    badge(rule.effect),
    rule.actions.length === 0 ? 'all' : rule.actions.join(', '),
    rule.state,
    mayChange ? changeCell(frame, rule, { index, last: rules.length - 1, version }) : undefined,
  ]);
  return table(columns, rows, 'Rules');
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

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}"/>`;
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

/** Renders the form of one rule, with the entered values if they were refused. */
export function rulePage(frame: WorldFrame, shown: RuleForm): DashboardPage {
  const { position, errors } = shown;
  const path = `${frame.base}/rules`;
  const refused = 'Nothing was saved because some values are invalid. Correct the marked fields and save again.';
  return {
    section: 'rules',
    title: position === undefined ? 'Add a rule' : `Rule ${position + 1}`,
    ...(errors && { status: 422, notice: { kind: 'bad', text: refused } }),
    body: html`<p><a href="${path}">All rules</a></p>
<section class="panel">
${form(frame, {
  action: position === undefined ? `${path}/new` : `${path}/${position + 1}`,
  submit: 'Save',
  content: [hidden('version', shown.version), ...fieldsOf(shown)],
})}
</section>
${position !== undefined && removePart(frame, shown, `${path}/${position + 1}/remove`)}
${section('Facts', factsPart)}`,
  };
}

function fieldsOf({ name, when, effect, actions, state, errors }: RuleForm): Html[] {
  const choices = <Value extends string>(values: readonly Value[], words: Readonly<Record<Value, string>>) =>
    values.map((value) => ({ value, label: words[value] }));
  return [
    field({
      name: 'name',
      label: 'Name',
      value: name,
      required: true,
      maxLength: 100,
      error: sentence(errors, 'name'),
    }),
    field({
      type: 'lines',
      name: 'when',
      label: 'Condition',
      value: when,
      rows: 3,
      hint: html`In CEL, at most ${maxConditionLength} characters: <code>device.is_new && metadata.amount > 500</code>. The facts are below.`,
      error: sentence(errors, 'when'),
    }),
    field({
      type: 'choice',
      name: 'effect',
      label: 'Effect',
      value: effect,
      options: choices(ruleEffects, effectWords),
    }),
    field({
      name: 'actions',
      label: 'Actions',
      value: actions,
      hint: 'Separated by commas, such as login, payout. Leave empty for all.',
      error: sentence(errors, 'actions'),
    }),
    field({ type: 'choice', name: 'state', label: 'State', value: state, options: choices(ruleStates, stateWords) }),
  ];
}

function sentence(errors: RuleForm['errors'], name: string): string | undefined {
  const message = errors?.get(name);
  return message === undefined ? undefined : `The ${name === 'when' ? 'condition' : name} ${message}.`;
}

function removePart(frame: WorldFrame, { version }: RuleForm, action: string): Html {
  return section('Remove', [
    html`<p>Earlier versions of the rules can be restored.</p>`,
    form(frame, { action, submit: 'Remove the rule', danger: true, content: hidden('version', version) }),
  ]);
}

const factsPart = html`<details><summary>All facts</summary>
${table(
  ['Fact', 'Type', 'Meaning', 'Example'],
  Object.entries(conditionFacts).map(([name, { type, description, example }]) => [
    html`<code>${name}</code>`,
    type,
    html`${withCode(description.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1'))}`,
    html`<code>${example}</code>`,
  ]),
  'Facts of conditions',
)}</details>`;
