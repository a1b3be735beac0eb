import { html } from 'hono/html';
import type { RuleEffect } from 'whorl/wire';
import { replayDays } from '../../effects/rule-replay/rules/limits.js';
import { ruleEffects } from '../../ground/vocabulary.js';
import { withCode } from '../../http/pages/page-response.js';
import { maxConditionLength } from '../../resources/projects/rules/conditions/condition.js';
import { documentedFacts } from '../../resources/projects/rules/conditions/facts.js';
import { type Rule, ruleStates } from '../../resources/projects/rules/conditions/rule.js';
import { maxTagLength, tagForm } from '../../resources/projects/rules/conditions/tag.js';
import type { LoggedDifference } from '../../resources/projects/rules/project-settings/log.js';
import { completionScript } from '../assets.js';
import { differencesSection } from '../settings/view.js';
import type { DashboardPage, WorldFrame } from '../view/layout.js';
import { badge, field, form, type Html, hidden, section, table } from '../view/parts.js';
import { completions } from './completions.js';

const effectWords: Readonly<Record<RuleEffect, string>> = {
  allow: 'Allow',
  restrict: 'Restrict',
  challenge: 'Challenge: ask for a code',
  challenge_and_restrict: 'Challenge and restrict',
  deny: 'Deny',
  review: 'Review: the policy decides, and the evaluation waits for a review',
  report: 'Report: the policy decides',
  tag: 'Tag: the policy decides, and the evaluation gets the tag below',
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
  /** Empty unless the effect is `tag`. */
  readonly tag: string;
  /** Names, separated by commas. */
  readonly actions: string;
  readonly state: Rule['state'];
  /** Version of the rules that the form was filled with. */
  readonly version: string;
  /** Name under which the rule is saved. Empty for a new one. */
  readonly savedAs: string;
  /** Index of the rule. Undefined for a new one. */
  readonly position?: number | undefined;
  /** Problems by field, if the rule was refused. */
  readonly errors?: ReadonlyMap<string, string>;
  /** Why nothing was done, if it is not because of a field. */
  readonly obstacle?: string;
  /** Differences between the entered and the saved rules, if somebody else changed them. */
  readonly differences?: readonly LoggedDifference[];
}

/** Renders what a rule does. */
export function effectCell({ effect, tag }: Pick<Rule, 'effect' | 'tag'>): Html {
  return html`<span>${badge(effect)}${tag !== undefined && html` <span class="badge tag">${tag}</span>`}</span>`;
}

/** Renders the form of one rule, with the entered values if they were refused. */
export function rulePage(frame: WorldFrame, shown: RuleForm): DashboardPage {
  const { position, errors, obstacle, differences } = shown;
  const path = `${frame.base}/rules`;
  const own = position === undefined ? `${path}/new` : `${path}/${position + 1}`;
  const refused = 'Nothing was saved because some values are invalid. Correct the marked fields and save again.';
  return {
    section: 'rules',
    title: position === undefined ? 'Add a rule' : `Rule ${position + 1}`,
    ...(errors && { status: 422, notice: { kind: 'bad', text: refused } }),
    ...(obstacle !== undefined && { status: 409, notice: { kind: 'bad', text: obstacle } }),
    body: html`<p><a href="${path}">All rules</a></p>
${differences && differencesSection(differences)}
<section class="panel">
${form(frame, {
  action: own,
  submit: 'Save',
  also: { action: `${own}/try`, submit: `Try on the last ${replayDays} days` },
  content: [hidden('version', shown.version), hidden('saved_as', shown.savedAs), ...fieldsOf(shown)],
})}
<div hidden data-completes="when" data-items="${JSON.stringify(completions)}"></div>
</section>
${position !== undefined && removePart(frame, shown, `${own}/remove`)}
${section('Facts', factsPart)}`,
    scripts: [completionScript.url],
  };
}

function fieldsOf({ name, when, effect, tag, actions, state, errors }: RuleForm): Html[] {
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
      name: 'tag',
      label: 'Tag',
      value: tag,
      maxLength: maxTagLength,
      hint: `Only for the effect Tag: ${tagForm}.`,
      error: sentence(errors, 'tag'),
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
  documentedFacts.map(([name, { type, description, example }]) => [
    html`<code>${name}</code>`,
    type,
    html`${withCode(description.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1'))}`,
    html`<code>${example}</code>`,
  ]),
  'Facts of conditions',
)}</details>`;
