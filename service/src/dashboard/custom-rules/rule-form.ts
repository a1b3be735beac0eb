import { ApiError } from '../../ground/errors.js';
import { ruleEffects } from '../../ground/vocabulary.js';
import { type Rule, ruleStates } from '../../resources/projects/rules/conditions/rule.js';
import { versionOf } from '../../resources/projects/rules/project-settings/form.js';
import { differencesOf, type LoggedDifference } from '../../resources/projects/rules/project-settings/log.js';
import type { Settings } from '../../resources/projects/rules/settings.js';
import { type InvalidSettings, readSettings } from '../../resources/projects/settings.js';
import type { DashboardRequest } from '../dashboard-request.js';
import { choiceIn } from '../request.js';
import { withRule } from './edit.js';
import type { RuleForm } from './rule-view.js';

/** Settings whose change makes a form outdated. */
export const versionedNames = ['rules'] as const;

/** Returns the version of the rules. */
export function versionIn(settings: Settings): string {
  return versionOf(versionedNames, settings);
}

/** Returns the rule at a position, counted from 1. @throws {ApiError} `not_found` */
export function ruleAt(
  rules: readonly Rule[],
  text: string | undefined,
): { readonly rule: Rule; readonly position: number } {
  const position = /^\d{1,3}$/.test(text ?? '') ? Number(text) - 1 : -1;
  const rule = rules[position];
  if (!rule) throw new ApiError('not_found', { detail: 'There is no rule at this position.' });
  return { rule, position };
}

/**
 * Checks that the rule of a posted form exists. A form that names it may be older than the rules: see `outdatedForm`.
 *
 * @throws {ApiError} `not_found`
 */
export function checkPosition({ params, fields, caller }: DashboardRequest): void {
  if (params.position !== undefined && !fields.has('saved_as')) ruleAt(caller.settings.rules, params.position);
}

/** Returns the posted form of a rule. */
export function formIn({ fields }: Pick<DashboardRequest, 'fields'>): Omit<RuleForm, 'position'> {
  return {
    name: fields.get('name') ?? '',
    when: (fields.get('when') ?? '').trim(),
    effect: choiceIn(fields, 'effect', ruleEffects),
    tag: (fields.get('tag') ?? '').trim(),
    actions: fields.get('actions') ?? '',
    state: choiceIn(fields, 'state', ruleStates),
    version: fields.get('version') ?? '',
    savedAs: fields.get('saved_as') ?? '',
  };
}

/** Returns the rule of a form, not yet checked. */
export function ruleOfForm({ name, when, effect, tag, actions, state }: Omit<RuleForm, 'position'>): unknown {
  const own = tag === '' ? {} : { tag };
  return { name, when, effect, ...own, actions: actions.split(/[\s,]+/).filter((action) => action !== ''), state };
}

/** Returns a rule as its form shows it. */
export function formOf({ tag = '', actions, ...rule }: Rule): Omit<RuleForm, 'version' | 'savedAs'> {
  return { ...rule, tag, actions: actions.join(', ') };
}

/** Returns what is wrong with the rule at a position, by field. Empty if other rules are invalid. */
export function errorsAt({ issues }: InvalidSettings, position: number): ReadonlyMap<string, string> {
  const own = issues.filter(({ path: [, index = position] }) => index === position);
  return new Map(own.map(({ path: [, , field = 'name'], message }) => [String(field), message]));
}

/**
 * Returns the form again with what was entered, because somebody else has changed the rules since it was shown, and how
 * it would change the rules now.
 */
export async function outdatedForm(
  { service, world }: DashboardRequest,
  form: Omit<RuleForm, 'position'>,
  obstacle: string,
): Promise<RuleForm & { readonly differences: readonly LoggedDifference[] }> {
  const settings = await readSettings(service, { project: world.projectId });
  const { rules } = settings;
  // The rule may have moved. One that is not there is added, and one of the entered name may be what this form has
  // saved before.
  const found = [form.savedAs, form.name.trim()].map((name) => rules.findIndex((rule) => rule.name === name));
  const position = found.find((index) => index >= 0);
  const to = withRule(rules, position ?? rules.length, ruleOfForm(form));
  const differences = differencesOf({ rules: { from: rules, to } });
  const savedAs = (position === undefined ? undefined : rules[position]?.name) ?? '';
  return { ...form, version: versionIn(settings), savedAs, position, obstacle, differences };
}
