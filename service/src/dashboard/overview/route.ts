import { readAlertConditions } from '../../effects/attention/read-alert-conditions.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { listKeys } from '../../resources/projects/keys.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute } from '../dashboard-route.js';
import { firstStepsPage } from './first-steps.js';
import { readArrivals, readOverview } from './load.js';
import { frameworkIn } from './snippets.js';
import { overviewPage } from './view.js';

const path = '/dashboard/{project}/{mode}/overview';

async function show(request: DashboardRequest): Promise<DashboardPage> {
  const { service, reader, world, query } = request;
  const arrivals = await readArrivals(reader, world.worldId);
  if (arrivals.evaluation) {
    const [overview, conditions] = await Promise.all([
      readOverview(reader, world.worldId, query.get('period')),
      readAlertConditions(reader, request.caller),
    ]);
    return overviewPage(request, overview, { conditions, now: reader.now() });
  }
  const all = await listKeys(service, { project: world.projectId, mode: world.mode });
  const keys = request.can('manage_keys') ? all : all.filter(({ kind }) => kind === 'publishable');
  const framework = frameworkIn(query.get('framework'));
  return firstStepsPage(request, { keys, arrivals, framework, url: service.publicUrl });
}

/** Tells the page whether the first evaluation has arrived. */
const arrivals = dashboardRoute({
  method: 'get',
  path: `${path}/arrivals`,
  permission: 'view',
  handle: async ({ reader, world }) => Response.json(await readArrivals(reader, world.worldId)),
});

export const overview: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, permission: 'view', handle: show }),
  arrivals,
];
