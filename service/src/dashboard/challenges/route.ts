import { readPosition } from '../../ground/db/position-rules.js';
import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute } from '../dashboard-route.js';
import { listDashboardChallenges, showChallenge } from './load.js';
import { challengePage, challengeStatuses, challengesPage } from './view.js';

const path = '/dashboard/{project}/{mode}/challenges';

async function list(request: DashboardRequest): Promise<DashboardPage> {
  const { reader, caller, query } = request;
  const from = readPosition(query.get('from'));
  const status = challengeStatuses.find((one) => one === query.get('status'));
  return challengesPage(request, await listDashboardChallenges(reader, caller, status, from), { status, from });
}

async function show(request: DashboardRequest): Promise<DashboardPage> {
  const shown = await showChallenge(request.reader, request.caller, request.params.id ?? '');
  if (!shown) throw new ApiError('not_found', { detail: 'There is no challenge with this ID.' });
  return challengePage(request, shown);
}

export const challenges: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, permission: 'view', handle: list }),
  dashboardRoute({ method: 'get', path: `${path}/{id}`, permission: 'view', handle: show }),
];
