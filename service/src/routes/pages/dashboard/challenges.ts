import { readPosition } from '../../../domain/dashboard/position.js';
import { ApiError } from '../../../errors.js';
import type { PageRoute } from '../../../http/page-route.js';
import { listDashboardChallenges, showChallenge } from '../../../operations/dashboard/challenges.js';
import { challengePage } from '../../../pages/dashboard/challenges/challenge.js';
import { challengeStatuses, challengesPage } from '../../../pages/dashboard/challenges/list.js';
import { type DashboardPage, type DashboardVisit, dashboardRoute } from './dashboard-route.js';

const path = '/dashboard/{project}/{mode}/challenges';

async function list(visit: DashboardVisit): Promise<DashboardPage> {
  const { service, caller, query } = visit;
  const from = readPosition(query.get('from'));
  const status = challengeStatuses.find((one) => one === query.get('status'));
  return challengesPage(visit, await listDashboardChallenges(service, caller, status, from), { status, from });
}

async function show(visit: DashboardVisit): Promise<DashboardPage> {
  const shown = await showChallenge(visit.service, visit.caller, visit.params.id ?? '');
  if (!shown) throw new ApiError('not_found', { detail: 'There is no challenge of this id.' });
  return challengePage(visit, shown);
}

export const challenges: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, answer: list }),
  dashboardRoute({ method: 'get', path: `${path}/{id}`, answer: show }),
];
