import type { PageRoute } from '../../../http/page-route.js';
import { readOverview } from '../../../operations/dashboard/overview.js';
import { overviewPage } from '../../../pages/dashboard/overview.js';
import { dashboardRoute } from './dashboard-route.js';

const show = dashboardRoute({
  method: 'get',
  path: '/dashboard/{project}/{mode}/overview',
  answer: async (visit) =>
    overviewPage(visit, await readOverview(visit.service, visit.world.worldId, visit.query.get('period'))),
});

export const overview: readonly PageRoute[] = [show];
