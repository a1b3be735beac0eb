import { ApiError } from '../../ground/errors.js';
import { ruleEffects } from '../../ground/vocabulary.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { rulePresets } from '../../resources/projects/rules/conditions/presets.js';
import { type Rule, ruleStates } from '../../resources/projects/rules/conditions/rule.js';
import { versionOf } from '../../resources/projects/rules/project-settings/form.js';
import type { Settings } from '../../resources/projects/rules/settings.js';
import { changeSettings, InvalidSettings, SettingsHaveChanged } from '../../resources/projects/settings.js';
import { changeOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { choiceIn, idIn } from '../request.js';
import { withMovedRule, withoutRule, withRule } from './edit.js';
import { findVersion, listVersions, loadResults } from './load.js';
import { type RuleForm, rulePage } from './rule-view.js';
import { rulesPage } from './view.js';

const path = '/dashboard/{project}/{mode}/rules';
const names = ['rules'] as const;

const versionIn = (settings: Settings) => versionOf(names, settings);

async function show(request: DashboardRequest): Promise<DashboardPage> {
  const { settings } = request.caller;
  const before = idIn(request.query.get('before'));
  const versions = request.can('view_settings') ? await listVersions(request, before) : undefined;
  const results = await loadResults(request);
  return rulesPage(request, { rules: settings.rules, version: versionIn(settings), versions, results });
}

async function showNew(request: DashboardRequest): Promise<DashboardPage> {
  const { settings } = request.caller;
  const preset = rulePresets.find(({ id }) => id === request.query.get('preset'));
  const rule = preset?.rule ?? { name: '', when: '', effect: 'review', actions: [], state: 'shadow' };
  return rulePage(request, { ...shownOf(rule), version: versionIn(settings) });
}

async function showRule(request: DashboardRequest): Promise<DashboardPage> {
  const { settings } = request.caller;
  const { rule, position } = ruleIn(request);
  return rulePage(request, { ...shownOf(rule), position, version: versionIn(settings) });
}

async function save(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { fields, caller } = request;
  const { rules } = caller.settings;
  const position = request.params.position === undefined ? undefined : ruleIn(request).position;
  const at = position ?? rules.length;
  const form: RuleForm = {
    name: fields.get('name') ?? '',
    when: (fields.get('when') ?? '').trim(),
    effect: choiceIn(fields, 'effect', ruleEffects),
    actions: fields.get('actions') ?? '',
    state: choiceIn(fields, 'state', ruleStates),
    version: fields.get('version') ?? '',
    ...(position !== undefined && { position }),
  };
  const actions = form.actions.split(/[\s,]+/).filter((action) => action !== '');
  const { name, when, effect, state } = form;
  const changed = await change(request, withRule(rules, at, { name, when, effect, actions, state }));
  if (!(changed instanceof InvalidSettings)) return changed ?? done(request, `The rule "${name.trim()}" was saved.`);
  const own = changed.issues.filter(({ path: [, index = at] }) => index === at);
  // A rule that was valid for an older version may not be for this one.
  if (own.length === 0) return refuse(changed);
  const errors = own.map(({ path: [, , field = 'name'], message }) => [String(field), message] as const);
  return rulePage(request, { ...form, errors: new Map(errors) });
}

async function move(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { position, rule } = ruleIn(request);
  const direction = choiceIn(request.fields, 'direction', ['up', 'down']);
  const changed = await change(request, withMovedRule(request.caller.settings.rules, position, direction));
  return orRefusal(changed) ?? done(request, `The rule "${rule.name}" was moved.`);
}

async function remove(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { position, rule } = ruleIn(request);
  const changed = await change(request, withoutRule(request.caller.settings.rules, position));
  return orRefusal(changed) ?? done(request, `The rule "${rule.name}" was removed.`);
}

async function restore(request: DashboardRequest): Promise<DashboardPage | Response> {
  const entry = idIn(request.fields.get('entry'));
  if (!entry)
    throw new ApiError('invalid_request', { detail: 'Choose a version of the rules. Go back and try again.' });
  const rules = await findVersion(request, entry);
  if (!rules) throw new ApiError('not_found', { detail: 'There is no earlier version of the rules with this ID.' });
  const changed = await change(request, rules);
  return orRefusal(changed) ?? done(request, 'The earlier version of the rules applies again.');
}

/** Replaces the rules. Returns why they are invalid, or a page if somebody else has changed them; undefined if it worked. */
async function change(
  request: DashboardRequest,
  rules: readonly unknown[],
): Promise<InvalidSettings | DashboardPage | undefined> {
  try {
    await changeSettings(request.service, {
      project: request.world.projectId,
      changes: { rules: rules.length === 0 ? undefined : rules },
      ...changeOf(request),
      startingFrom: { names, version: request.fields.get('version') ?? '' },
    });
    return undefined;
  } catch (error) {
    if (error instanceof InvalidSettings) return error;
    if (!(error instanceof SettingsHaveChanged)) throw error;
    const text = 'Nothing was saved, because somebody else changed the rules. Review them and try again.';
    return { ...(await show(request)), status: 409, notice: { kind: 'bad', text } };
  }
}

function orRefusal(changed: InvalidSettings | DashboardPage | undefined): DashboardPage | undefined {
  return changed instanceof InvalidSettings ? refuse(changed) : changed;
}

function refuse({ message }: InvalidSettings): never {
  throw new ApiError('invalid_request', { detail: `${message} Correct this rule first.` });
}

function done(request: DashboardRequest, text: string): Promise<Response> {
  return redirectWithNotice(request, '/rules', { kind: 'good', text });
}

function ruleIn({ params, caller }: DashboardRequest): { readonly rule: Rule; readonly position: number } {
  const position = /^\d{1,3}$/.test(params.position ?? '') ? Number(params.position) - 1 : -1;
  const rule = caller.settings.rules[position];
  if (!rule) throw new ApiError('not_found', { detail: 'There is no rule at this position.' });
  return { rule, position };
}

function shownOf({ actions, ...rule }: Rule): Omit<RuleForm, 'version'> {
  return { ...rule, actions: actions.join(', ') };
}

/** Pages that show and change a project's rules. */
export const rules: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, permission: 'view_settings', handle: show }),
  dashboardRoute({ method: 'get', path: `${path}/new`, permission: 'change_settings', handle: showNew }),
  dashboardRoute({ method: 'post', path: `${path}/new`, permission: 'change_settings', handle: save }),
  dashboardRoute({ method: 'post', path: `${path}/versions/restore`, permission: 'change_settings', handle: restore }),
  dashboardRoute({ method: 'get', path: `${path}/{position}`, permission: 'change_settings', handle: showRule }),
  dashboardRoute({ method: 'post', path: `${path}/{position}`, permission: 'change_settings', handle: save }),
  dashboardRoute({ method: 'post', path: `${path}/{position}/move`, permission: 'change_settings', handle: move }),
  dashboardRoute({ method: 'post', path: `${path}/{position}/remove`, permission: 'change_settings', handle: remove }),
];
