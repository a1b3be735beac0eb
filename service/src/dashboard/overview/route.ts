import type { PageRoute } from '../../http/pages/page-route.js';
import { dashboardRoute } from '../dashboard-route.js';
import { readOverview } from './load.js';
import { overviewPage } from './view.js';

const show = dashboardRoute({
  method: 'get',
  path: '/dashboard/{project}/{mode}/overview',
  answer: async (visit) =>
    overviewPage(visit, await readOverview(visit.service, visit.world.worldId, visit.query.get('period'))),
});

export const overview: readonly PageRoute[] = [show];
