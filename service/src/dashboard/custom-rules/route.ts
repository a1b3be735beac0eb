import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { rulePresets } from '../../resources/projects/rules/conditions/presets.js';
import type { Rule } from '../../resources/projects/rules/conditions/rule.js';
import { changeSettings, InvalidSettings, SettingsHaveChanged } from '../../resources/projects/settings.js';
import { changeOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { choiceIn, idIn } from '../request.js';
import { changedText } from '../settings/view.js';
import { withMovedRule, withoutRule, withRule } from './edit.js';
import { draftOfSearch, findSearch } from './finder-load.js';
import { ruleFinder } from './finder-route.js';
import { findVersion, listVersions, loadResults } from './load.js';
import { findReplay, loadReplays, ruleOfReplay } from './replay-load.js';
import { ruleReplays } from './replay-route.js';
import {
  checkPosition,
  errorsAt,
  formIn,
  formOf,
  outdatedForm,
  ruleAt,
  ruleOfForm,
  versionedNames,
  versionIn,
} from './rule-form.js';
import { rulePage } from './rule-view.js';
import { rulesPage } from './view.js';

const path = '/dashboard/{project}/{mode}/rules';

async function show(request: DashboardRequest): Promise<DashboardPage> {
  const { settings } = request.caller;
  const before = idIn(request.query.get('before'));
  const versions = request.can('view_settings') ? await listVersions(request, before) : undefined;
  return rulesPage(request, {
    rules: settings.rules,
    version: versionIn(settings),
    versions,
    results: await loadResults(request),
    replays: request.can('change_settings') ? await loadReplays(request) : [],
  });
}

async function showNew(request: DashboardRequest): Promise<DashboardPage> {
  const preset = rulePresets.find(({ id }) => id === request.query.get('preset'));
  const search = idIn(request.query.get('search'));
  const found = search === undefined ? undefined : draftOfSearch(await findSearch(request, search));
  const empty: Rule = { name: '', when: '', effect: 'review', actions: [], state: 'shadow' };
  return showForm(request, found ?? preset?.rule ?? empty);
}

async function showRule(request: DashboardRequest): Promise<DashboardPage> {
  const { rule, position } = ruleIn(request);
  return showForm(request, rule, position);
}

/** Shows a rule, or the one that a replay has tried in its place. */
async function showForm(request: DashboardRequest, rule: Rule, position?: number): Promise<DashboardPage> {
  const replay = idIn(request.query.get('replay'));
  const shown = replay === undefined ? rule : ruleOfReplay(await findReplay(request, replay));
  const version = versionIn(request.caller.settings);
  const savedAs = position === undefined ? '' : rule.name;
  return rulePage(request, { ...formOf(shown), position, version, savedAs });
}

async function save(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { settings } = request.caller;
  checkPosition(request);
  const form = formIn(request);
  const saved = () => done(request, `The rule "${form.name.trim()}" was saved.`);
  const showAgain = async () => {
    const again = await outdatedForm(request, form, changedText('the rules'));
    // A form that is sent twice has nothing left to change.
    return again.differences.length === 0 ? saved() : rulePage(request, again);
  };
  if (form.version !== versionIn(settings)) return showAgain();
  const position = request.params.position === undefined ? undefined : ruleIn(request).position;
  const at = position ?? settings.rules.length;
  const changed = await change(request, withRule(settings.rules, at, ruleOfForm(form)), showAgain);
  if (!(changed instanceof InvalidSettings)) return changed ?? saved();
  const errors = errorsAt(changed, at);
  // A rule that was valid for an older version may not be for this one.
  if (errors.size === 0) return refuse(changed);
  return rulePage(request, { ...form, position, errors });
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

/**
 * Replaces the rules. Returns why they are invalid, or a page if somebody else has changed them (default: the rules);
 * undefined if it worked.
 */
async function change(
  request: DashboardRequest,
  rules: readonly unknown[],
  showOutdated: () => Promise<DashboardPage | Response> = () => showChanged(request),
): Promise<InvalidSettings | DashboardPage | Response | undefined> {
  try {
    await changeSettings(request.service, {
      project: request.world.projectId,
      changes: { rules: rules.length === 0 ? undefined : rules },
      ...changeOf(request),
      startingFrom: { names: versionedNames, version: request.fields.get('version') ?? '' },
    });
    return undefined;
  } catch (error) {
    if (error instanceof InvalidSettings) return error;
    if (!(error instanceof SettingsHaveChanged)) throw error;
    return showOutdated();
  }
}

async function showChanged(request: DashboardRequest): Promise<DashboardPage> {
  const text = 'Nothing was saved, because somebody else changed the rules. Review them and try again.';
  return { ...(await show(request)), status: 409, notice: { kind: 'bad', text } };
}

function orRefusal<Shown>(changed: InvalidSettings | Shown): Shown {
  return changed instanceof InvalidSettings ? refuse(changed) : changed;
}

function refuse({ message }: InvalidSettings): never {
  throw new ApiError('invalid_request', { detail: `${message} Correct this rule first.` });
}

function done(request: DashboardRequest, text: string): Promise<Response> {
  return redirectWithNotice(request, '/rules', { kind: 'good', text });
}

function ruleIn({ params, caller }: DashboardRequest) {
  return ruleAt(caller.settings.rules, params.position);
}

/** Pages that show and change a project's rules. */
export const rules: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, permission: 'view_settings', handle: show }),
  dashboardRoute({ method: 'get', path: `${path}/new`, permission: 'change_settings', handle: showNew }),
  dashboardRoute({ method: 'post', path: `${path}/new`, permission: 'change_settings', handle: save }),
  dashboardRoute({ method: 'post', path: `${path}/versions/restore`, permission: 'change_settings', handle: restore }),
  ...ruleReplays,
  ...ruleFinder,
  dashboardRoute({ method: 'get', path: `${path}/{position}`, permission: 'change_settings', handle: showRule }),
  dashboardRoute({ method: 'post', path: `${path}/{position}`, permission: 'change_settings', handle: save }),
  dashboardRoute({ method: 'post', path: `${path}/{position}/move`, permission: 'change_settings', handle: move }),
  dashboardRoute({ method: 'post', path: `${path}/{position}/remove`, permission: 'change_settings', handle: remove }),
];
