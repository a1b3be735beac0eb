import { z } from 'zod';
import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { filterField } from '../../http/schemas/filter-field.js';
import { inOrder, momentFields, withPeriod, wrongOrder } from '../../http/schemas/query.js';
import { exportChallenges } from '../../resources/challenges/search/export.js';
import { challengeFilters } from '../../resources/challenges/search/rules/filters.js';
import { originOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute } from '../dashboard-route.js';
import { filteredListRoutes } from '../filters/filtered-list-route.js';
import { listDashboardChallenges, showChallenge } from './load.js';
import { challengePage, challengesPage } from './view.js';

const path = '/dashboard/{project}/{mode}/challenges';

const filterFields = {
  status: filterField(challengeFilters.status),
  action: filterField(challengeFilters.action),
  reason: filterField(challengeFilters.reason),
  method: filterField(challengeFilters.method),
  user: filterField(challengeFilters.user),
  user_id: filterField(challengeFilters.user_id),
  device_id: filterField(challengeFilters.device_id),
  fingerprint_id: filterField(challengeFilters.fingerprint_id),
  ip: filterField(challengeFilters.ip),
  ...momentFields,
} satisfies Readonly<Record<keyof typeof challengeFilters | keyof typeof momentFields, z.ZodType>>;

const list = filteredListRoutes({
  name: 'challenges',
  table: challengeFilters,
  schema: z.object(filterFields).refine(inOrder, wrongOrder),
  page: async (request, { filter, query, from }) => {
    const { reader, caller } = request;
    const part = query ? await listDashboardChallenges(reader, caller, withPeriod(query), from) : { rows: [] };
    return challengesPage(request, { part, from, filter });
  },
  exported: (request, query, format) =>
    exportChallenges(request, request.caller, { query: withPeriod(query), format, origin: originOf(request) }),
});

async function show(request: DashboardRequest): Promise<DashboardPage> {
  const shown = await showChallenge(request.reader, request.caller, request.params.id ?? '');
  if (!shown) throw new ApiError('not_found', { detail: 'There is no challenge with this ID.' });
  return challengePage(request, shown);
}

export const challenges: readonly PageRoute[] = [
  ...list,
  dashboardRoute({ method: 'get', path: `${path}/{id}`, permission: 'view', handle: show }),
];
