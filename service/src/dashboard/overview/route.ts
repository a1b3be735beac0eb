import type { PageRoute } from '../../http/pages/page-route.js';
import { listKeys } from '../../resources/projects/keys.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute } from '../dashboard-route.js';
import { firstStepsPage } from './first-steps.js';
import { readArrivals, readOverview } from './load.js';
import { frameworkIn } from './snippets.js';
import { overviewPage } from './view.js';

const path = '/dashboard/{project}/{mode}/overview';

async function show(request: DashboardRequest): Promise<DashboardPage> {
  const { service, world, query } = request;
  const arrivals = await readArrivals(service, world.worldId);
  if (arrivals.evaluation) {
    return overviewPage(request, await readOverview(service, world.worldId, query.get('period')));
  }
  const keys = await listKeys(service, { project: world.projectId, mode: world.mode });
  const framework = frameworkIn(query.get('framework'));
  return firstStepsPage(request, { keys, arrivals, framework, url: service.publicUrl });
}

/** Tells the page whether the first evaluation has arrived. */
const arrivals = dashboardRoute({
  method: 'get',
  path: `${path}/arrivals`,
  handle: async ({ service, world }) => Response.json(await readArrivals(service, world.worldId)),
});

export const overview: readonly PageRoute[] = [dashboardRoute({ method: 'get', path, handle: show }), arrivals];
