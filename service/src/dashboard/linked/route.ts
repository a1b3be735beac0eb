import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { listClusters } from '../../recognition/linked-accounts/linked-accounts.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute } from '../dashboard-route.js';
import { showLinks } from './load.js';
import { clustersPage, linkedAccountsPage } from './view.js';

const path = '/dashboard/{project}/{mode}/users';

async function show(request: DashboardRequest): Promise<DashboardPage> {
  const shown = await showLinks(request.reader, request.caller, request.params.id ?? '');
  if (!shown) throw new ApiError('not_found', { detail: 'There is no user with this ID.' });
  return linkedAccountsPage(request, shown, { selected: request.query.get('selected') === 'on' });
}

async function showClusters(request: DashboardRequest): Promise<DashboardPage> {
  return clustersPage(request, await listClusters(request.reader, request.caller));
}

export const linked: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path: `${path}/clusters`, permission: 'view', handle: showClusters }),
  dashboardRoute({ method: 'get', path: `${path}/{id}/linked`, permission: 'view', handle: show }),
];
