import type { PageRoute } from '../../../http/pages/page-route.js';
import { dashboardRoute } from '../../dashboard-route.js';
import { loadLabels } from './load.js';
import { labelsPage } from './view.js';

/** How well verdicts, reasons and rules agree with labels. */
export const labels: PageRoute = dashboardRoute({
  method: 'get',
  path: '/dashboard/{project}/{mode}/review/labels',
  permission: 'view',
  handle: async (request) => labelsPage(request, await loadLabels(request.reader, request.caller)),
});
