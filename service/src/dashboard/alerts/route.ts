import { removeSlack, setSlack } from '../../effects/alerts/slack.js';
import { tryAlerts } from '../../effects/alerts/try-alerts.js';
import { OperatorError } from '../../ground/operator-error.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { changeOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { whenConfirmed } from '../sign-in/confirmed.js';
import { readAlerts } from './load.js';
import { alertsPage } from './view.js';

const path = '/dashboard/{project}/{mode}/alerts';

async function showPage(request: DashboardRequest, refused?: string): Promise<DashboardPage> {
  const alerts = await readAlerts(request.service, request.world.projectId);
  return alertsPage(request, { ...alerts, settings: request.caller.settings, refused });
}

const show = dashboardRoute({
  method: 'get',
  path,
  permission: 'view_settings',
  handle: (request) => showPage(request),
});

const set = dashboardRoute({
  method: 'post',
  path: `${path}/slack`,
  permission: 'change_settings',
  handle: (request) => whenConfirmed(request, { ask: (again) => showPage(again), act: save }),
});

async function save(request: DashboardRequest): Promise<DashboardPage | Response> {
  const url = request.fields.get('url')?.trim() ?? '';
  try {
    await setSlack(request.service, { project: request.world.projectId, url, ...changeOf(request) });
  } catch (error) {
    if (error instanceof OperatorError) return showPage(request, error.message);
    throw error;
  }
  return redirectWithNotice(request, '/alerts', { kind: 'good', text: 'Alerts are sent to Slack from now on.' });
}

const remove = dashboardRoute({
  method: 'post',
  path: `${path}/slack/remove`,
  permission: 'change_settings',
  handle: async (request) => {
    await removeSlack(request.service, { project: request.world.projectId, ...changeOf(request) });
    return redirectWithNotice(request, '/alerts', { kind: 'good', text: 'Alerts are no longer sent to Slack.' });
  },
});

const test = dashboardRoute({
  method: 'post',
  path: `${path}/test`,
  permission: 'change_settings',
  handle: async (request) => redirectWithNotice(request, '/alerts', await tryAll(request)),
});

async function tryAll({ service, world }: DashboardRequest) {
  try {
    const outcomes = await tryAlerts(service, { project: world.projectId });
    const failed = outcomes.filter(({ failure }) => failure !== undefined);
    if (failed.length === 0) {
      return { kind: 'good', text: `Sent to ${outcomes.map(({ receiver }) => receiver).join(', ')}.` } as const;
    }
    const reasons = failed.map(({ receiver, failure }) => `${receiver} (${failure})`).join(', ');
    return { kind: 'bad', text: `Not sent to ${reasons}.` } as const;
  } catch (error) {
    if (error instanceof OperatorError) return { kind: 'bad', text: error.message } as const;
    throw error;
  }
}

/** Pages about the receivers of alerts that are not settings (docs/alerts.md). */
export const alerts: readonly PageRoute[] = [show, set, remove, test];
