import { cancelReplay, startReplay } from '../../effects/rule-replay/start.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { draftSettings, InvalidSettings } from '../../resources/projects/settings.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { withRule } from './edit.js';
import { findReplay, loadReplay } from './replay-load.js';
import { replayPage } from './replay-view.js';
import { checkPosition, errorsAt, formIn, outdatedForm, ruleAt, ruleOfForm, versionIn } from './rule-form.js';
import { rulePage } from './rule-view.js';

const path = '/dashboard/{project}/{mode}/rules';

async function start(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { settings, worldId } = request.caller;
  const { position: asked } = request.params;
  checkPosition(request);
  const form = formIn(request);
  if (form.version !== versionIn(settings)) {
    const text =
      'The rule was not tried because somebody else changed the rules. Review the differences below and try again.';
    return rulePage(request, await outdatedForm(request, form, text));
  }
  const position = asked === undefined ? undefined : ruleAt(settings.rules, asked).position;
  const at = position ?? settings.rules.length;
  const rules = draftOf(request, withRule(settings.rules, at, ruleOfForm(form)));
  if (rules instanceof InvalidSettings) {
    const errors = errorsAt(rules, at);
    if (errors.size === 0) throw rules;
    return rulePage(request, { ...form, position, errors });
  }
  const id = await startReplay(request.service, { worldId, rules, position: at, compared: settings.rules });
  if (id !== undefined) return redirectWithNotice(request, `/rules/replays/${id}`);
  const obstacle =
    'Another replay of this mode is running. Wait until it has finished, or cancel it on the page of all rules.';
  return rulePage(request, { ...form, position, obstacle });
}

function draftOf({ caller }: DashboardRequest, rules: readonly unknown[]) {
  try {
    return draftSettings(caller.settings, { rules }).rules;
  } catch (error) {
    if (error instanceof InvalidSettings) return error;
    throw error;
  }
}

async function show(request: DashboardRequest): Promise<DashboardPage> {
  return replayPage(request, await loadReplay(request, request.params.replay));
}

async function cancel(request: DashboardRequest): Promise<Response> {
  const replay = await findReplay(request, request.params.replay);
  await cancelReplay(request.service, replay);
  return redirectWithNotice(request, `/rules/replays/${replay.id}`);
}

/** Pages that try a rule on the evaluations of the past. */
export const ruleReplays: readonly PageRoute[] = [
  dashboardRoute({ method: 'post', path: `${path}/new/try`, permission: 'change_settings', handle: start }),
  dashboardRoute({ method: 'post', path: `${path}/{position}/try`, permission: 'change_settings', handle: start }),
  dashboardRoute({ method: 'get', path: `${path}/replays/{replay}`, permission: 'change_settings', handle: show }),
  dashboardRoute({
    method: 'post',
    path: `${path}/replays/{replay}/cancel`,
    permission: 'change_settings',
    handle: cancel,
  }),
];
