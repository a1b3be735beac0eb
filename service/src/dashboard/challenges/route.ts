import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { type DashboardPage, type DashboardVisit, dashboardRoute } from '../dashboard-route.js';
import { readPosition } from '../position-rules.js';
import { listDashboardChallenges, showChallenge } from './load.js';
import { challengePage, challengeStatuses, challengesPage } from './view.js';

const path = '/dashboard/{project}/{mode}/challenges';

async function list(visit: DashboardVisit): Promise<DashboardPage> {
  const { service, caller, query } = visit;
  const from = readPosition(query.get('from'));
  const status = challengeStatuses.find((one) => one === query.get('status'));
  return challengesPage(visit, await listDashboardChallenges(service, caller, status, from), { status, from });
}

async function show(visit: DashboardVisit): Promise<DashboardPage> {
  const shown = await showChallenge(visit.service, visit.caller, visit.params.id ?? '');
  if (!shown) throw new ApiError('not_found', { detail: 'There is no challenge with this ID.' });
  return challengePage(visit, shown);
}

export const challenges: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, answer: list }),
  dashboardRoute({ method: 'get', path: `${path}/{id}`, answer: show }),
];
