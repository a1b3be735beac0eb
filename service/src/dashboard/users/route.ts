import type { UserStatus } from 'whorl/wire';
import { ApiError } from '../../ground/errors.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { setUserStatus } from '../admin-actions.js';
import { type DashboardPage, type DashboardVisit, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { readPosition } from '../position-rules.js';
import { actorOf } from '../visit.js';
import { listUsers, readSearch, searchUsers, showUser } from './load.js';
import { foundUsersPage, userPage, usersPage } from './view.js';

const path = '/dashboard/{project}/{mode}/users';

async function list(visit: DashboardVisit): Promise<DashboardPage> {
  const from = readPosition(visit.query.get('from'));
  return usersPage(visit, await listUsers(visit.service, visit.caller, from), from);
}

/** Uses POST because the search text can be personal data. */
async function search(visit: DashboardVisit): Promise<DashboardPage | Response> {
  const { service, caller, fields } = visit;
  const text = readSearch(fields.get('q'));
  if (text === undefined) return redirectWithNotice(visit, '/users');
  const after = readSearch(fields.get('after')) ?? null;
  const found = await searchUsers(service, caller, text, after);
  const [only, ...others] = found.users;
  const isOnly = only && others.length === 0 && after === null && found.as === 'name';
  return isOnly ? redirectWithNotice(visit, `/users/${only._id}`) : foundUsersPage(visit, text, found);
}

async function show(visit: DashboardVisit): Promise<DashboardPage> {
  const { service, caller, params, query } = visit;
  const from = {
    devices: readPosition(query.get('devices')),
    challenges: readPosition(query.get('challenges')),
    timeline: readPosition(query.get('timeline')),
  };
  const shown = await showUser(service, caller, params.id ?? '', from);
  if (!shown) throw new ApiError('not_found', { detail: 'There is no user with this ID.' });
  return userPage({ place: visit, shown, from, now: service.now() });
}

function changeStatus(name: string, status: UserStatus, text: string): PageRoute {
  return dashboardRoute({
    method: 'post',
    path: `${path}/{id}/${name}`,
    answer: async (visit) => {
      const id = visit.params.id ?? '';
      await setUserStatus(visit.service, actorOf(visit), id, status);
      return redirectWithNotice(visit, `/users/${id}`, { kind: 'good', text });
    },
  });
}

export const users: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, answer: list }),
  dashboardRoute({ method: 'post', path: `${path}/search`, answer: search }),
  // Opened after signing in again during a search.
  dashboardRoute({ method: 'get', path: `${path}/search`, answer: (visit) => redirectWithNotice(visit, '/users') }),
  dashboardRoute({ method: 'get', path: `${path}/{id}`, answer: show }),
  changeStatus('suspend', 'suspended', 'The user is suspended.'),
  changeStatus('activate', 'active', 'The user is active again.'),
];
