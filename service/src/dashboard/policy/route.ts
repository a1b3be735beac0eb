import { type Reason, reasons } from 'whorl/wire';
import { ApiError } from '../../ground/errors.js';
import { effects } from '../../ground/vocabulary.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { versionOf } from '../../resources/projects/rules/project-settings/form.js';
import { differencesOf } from '../../resources/projects/rules/project-settings/log.js';
import type { Settings } from '../../resources/projects/rules/settings.js';
import { changeSettings, readSettings, SettingsHaveChanged } from '../../resources/projects/settings.js';
import { changeOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { choiceIn } from '../request.js';
import { reasonTitle } from '../view/cells.js';
import { effectsOf, type ReasonEffects, withEffects } from './edit.js';
import { policyPage, reasonPage } from './view.js';

const path = '/dashboard/{project}/{mode}/policy';
const names = ['policy'] as const;

const versionIn = (settings: Settings) => versionOf(names, settings);

async function show(request: DashboardRequest): Promise<DashboardPage> {
  return policyPage(request, request.caller.settings.policy);
}

async function showReason(request: DashboardRequest): Promise<DashboardPage> {
  const reason = reasonIn(request);
  const { settings } = request.caller;
  return reasonPage(request, { reason, version: versionIn(settings), entered: effectsOf(settings.policy, reason) });
}

async function save(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { service, world, fields } = request;
  const reason = reasonIn(request);
  const effectIn = (column: string) => choiceIn(fields, column, ['', ...effects]);
  const entered = { login: effectIn('login'), signup: effectIn('signup'), referral: effectIn('referral') };
  const version = fields.get('version') ?? '';
  // Read again: the settings may have changed since the request began.
  const settings = await readSettings(service, { project: world.projectId });
  // The other reasons come from these settings, so they must be those that the form was filled with.
  if (versionIn(settings) !== version) return refuse(request, reason, entered);
  try {
    await changeSettings(service, {
      project: world.projectId,
      changes: { policy: withEffects(settings.policy, reason, entered) },
      ...changeOf(request),
      startingFrom: { names, version },
    });
  } catch (error) {
    if (!(error instanceof SettingsHaveChanged)) throw error;
    return refuse(request, reason, entered);
  }
  return redirectWithNotice(request, '/policy', { kind: 'good', text: `Policy saved: ${reasonTitle(reason)}.` });
}

/** Returns the form with the entered values, and how they differ from the current ones. */
async function refuse(request: DashboardRequest, reason: Reason, entered: ReasonEffects): Promise<DashboardPage> {
  const settings = await readSettings(request.service, { project: request.world.projectId });
  const to = withEffects(settings.policy, reason, entered);
  const differences = differencesOf({ policy: { from: settings.policy, to } });
  return reasonPage(request, { reason, version: versionIn(settings), entered, differences });
}

/** @throws {ApiError} `not_found` */
function reasonIn({ params }: DashboardRequest): Reason {
  const reason = reasons.find((one) => one === params.reason);
  if (!reason) throw new ApiError('not_found', { detail: 'There is no reason with this name.' });
  return reason;
}

/** Pages that show the policy of a project, and change it one reason at a time. */
export const policy: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, permission: 'view_settings', handle: show }),
  dashboardRoute({ method: 'get', path: `${path}/{reason}`, permission: 'change_settings', handle: showReason }),
  dashboardRoute({ method: 'post', path: `${path}/{reason}`, permission: 'change_settings', handle: save }),
];
