import type { UserStatus } from 'whorl/wire';
import { z } from 'zod';
import { readPosition } from '../../ground/db/position-rules.js';
import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { inOrder, wereSeenInOrder, withPeriod, wrongOrder, wrongSeenOrder } from '../../http/schemas/query.js';
import { userFilterFields } from '../../http/schemas/user-filters.js';
import { exportUsers } from '../../resources/users/search/export.js';
import { userFilters } from '../../resources/users/search/rules/filters.js';
import { setUserStatus } from '../admin-actions.js';
import { actorOf, originOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { filteredListRoutes } from '../filters/filtered-list-route.js';
import { whenConfirmed } from '../sign-in/confirmed.js';
import { eraseUser, exportForAdmin } from './data.js';
import { foundUsersPage, usersPage } from './list-view.js';
import { listUsers, readSearch, searchUsers, showUser } from './load.js';
import { userPage } from './view.js';

const path = '/dashboard/{project}/{mode}/users';

const list = filteredListRoutes({
  name: 'users',
  table: userFilters,
  schema: z.object(userFilterFields).refine(inOrder, wrongOrder).refine(wereSeenInOrder, wrongSeenOrder),
  page: async (request, { filter, query, from }) => {
    const part = query ? await listUsers(request.reader, request.caller, withPeriod(query), from) : { rows: [] };
    return usersPage(request, { part, from, filter });
  },
  exported: (request, query, format) =>
    exportUsers(request, request.caller, { query: withPeriod(query), format, origin: originOf(request) }),
});

/** Uses POST because the search text can be personal data. */
async function search(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { reader, caller, fields } = request;
  const text = readSearch(fields.get('q'));
  if (text === undefined) return redirectWithNotice(request, '/users');
  const after = readSearch(fields.get('after')) ?? null;
  const found = await searchUsers(reader, caller, text, after);
  const [only, ...others] = found.users;
  const isOnly = only && others.length === 0 && after === null && found.as === 'name';
  return isOnly ? redirectWithNotice(request, `/users/${only._id}`) : foundUsersPage(request, text, found);
}

async function show(request: DashboardRequest): Promise<DashboardPage> {
  const { reader, caller, params, query } = request;
  const from = {
    devices: readPosition(query.get('devices')),
    challenges: readPosition(query.get('challenges')),
    timeline: readPosition(query.get('timeline')),
  };
  const shown = await showUser(reader, caller, params.id ?? '', from);
  if (!shown) throw new ApiError('not_found', { detail: 'There is no user with this ID.' });
  return userPage({ place: request, shown, from, now: reader.now() });
}

function changeStatus(name: string, status: UserStatus, text: string): PageRoute {
  return dashboardRoute({
    method: 'post',
    path: `${path}/{id}/${name}`,
    permission: 'act',
    handle: async (request) => {
      const id = request.params.id ?? '';
      await setUserStatus(request.service, actorOf(request), id, status);
      return redirectWithNotice(request, `/users/${id}`, { kind: 'good', text });
    },
  });
}

const exportData = dashboardRoute({
  method: 'post',
  path: `${path}/{id}/export`,
  permission: 'export_and_erase',
  handle: (request) =>
    whenConfirmed(request, {
      ask: show,
      act: async ({ service, params }) => {
        const id = params.id ?? '';
        const text = JSON.stringify(await exportForAdmin(service, actorOf(request), id), undefined, 2);
        const name = `user-${id}.json`;
        const headers = { 'Content-Type': 'application/json', 'Content-Disposition': `attachment; filename="${name}"` };
        return new Response(text, { headers });
      },
    }),
});

const erase = dashboardRoute({
  method: 'post',
  path: `${path}/{id}/erase`,
  permission: 'export_and_erase',
  handle: (request) =>
    whenConfirmed(request, {
      ask: show,
      act: async ({ service, params }) => {
        await eraseUser(service, actorOf(request), params.id ?? '');
        return redirectWithNotice(request, '/users', { kind: 'good', text: 'The user was erased.' });
      },
    }),
});

export const users: readonly PageRoute[] = [
  ...list,
  dashboardRoute({ method: 'post', path: `${path}/search`, permission: 'view', onlyReads: true, handle: search }),
  // Opened after signing in again during a search.
  dashboardRoute({
    method: 'get',
    path: `${path}/search`,
    permission: 'view',
    handle: (request) => redirectWithNotice(request, '/users'),
  }),
  dashboardRoute({ method: 'get', path: `${path}/{id}`, permission: 'view', handle: show }),
  exportData,
  erase,
  changeStatus('suspend', 'suspended', 'The user is suspended.'),
  changeStatus('activate', 'active', 'The user is active again.'),
];
