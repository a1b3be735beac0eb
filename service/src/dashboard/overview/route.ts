import type { PageRoute } from '../../http/pages/page-route.js';
import { dashboardRoute } from '../dashboard-route.js';
import { readOverview } from './load.js';
import { overviewPage } from './view.js';

const show = dashboardRoute({
  method: 'get',
  path: '/dashboard/{project}/{mode}/overview',
  permission: 'view',
  handle: async (request) =>
    overviewPage(request, await readOverview(request.service, request.world.worldId, request.query.get('period'))),
});

export const overview: readonly PageRoute[] = [show];
