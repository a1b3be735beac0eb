import type { PageRoute } from '../../http/pages/page-route.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { foundUsersPage } from '../users/list-view.js';
import { readSearch, searchUsers } from '../users/load.js';
import { findPage, findPageByName } from './find.js';

const path = '/dashboard/{project}/{mode}/search';
/** Long enough for a fingerprint. */
const maxLength = 4096;

/** Uses POST because the text can be personal data. */
async function find(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { reader, caller, fields } = request;
  const text = readSearch(fields.get('q'), maxLength);
  if (text === undefined) return redirectWithNotice(request, '/overview');
  const page = await findPage(reader, caller, text);
  if (page !== undefined) return redirectWithNotice(request, page);
  const name = readSearch(text) ?? '';
  const found = await searchUsers(reader, caller, name, null);
  const named = found.users.length === 0 ? findPageByName(name) : undefined;
  if (named !== undefined) return redirectWithNotice(request, named);
  const [only, ...others] = found.users;
  return only && others.length === 0
    ? redirectWithNotice(request, `/users/${only._id}`)
    : foundUsersPage(request, name, found);
}

/** The search field of every page of a project's world. */
export const search: readonly PageRoute[] = [
  dashboardRoute({ method: 'post', path, permission: 'view', onlyReads: true, handle: find }),
  // Opened after signing in again.
  dashboardRoute({
    method: 'get',
    path,
    permission: 'view',
    handle: (request) => redirectWithNotice(request, '/overview'),
  }),
];
