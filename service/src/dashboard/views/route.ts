import { evaluationFilters } from '../../evaluation/search/rules/filters.js';
import { type ViewedList, viewedLists } from '../../ground/vocabulary.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { challengeFilters } from '../../resources/challenges/search/rules/filters.js';
import { deviceFilters } from '../../resources/devices/search/rules/filters.js';
import type { FilterTable } from '../../resources/filters/rules/filter.js';
import { listViews, RefusedView, removeView, renameView, saveView } from '../../resources/filters/views.js';
import { userFilters } from '../../resources/users/search/rules/filters.js';
import { namesOf } from '../actor-names.js';
import { originOf } from '../dashboard-request.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { enteredFilter } from '../filters/entered.js';
import { listPath } from '../filters/views-view.js';
import { choiceIn } from '../request.js';
import { type ViewsEntry, viewsPage } from './view.js';

const path = '/dashboard/{project}/{mode}/views';

const tables: Readonly<Record<ViewedList, FilterTable>> = {
  evaluations: evaluationFilters,
  users: userFilters,
  devices: deviceFilters,
  challenges: challengeFilters,
};

async function show(request: DashboardRequest, list: ViewedList, entry: ViewsEntry = {}): Promise<DashboardPage> {
  const { reader, caller } = request;
  const views = await listViews(reader, caller, list);
  const savers = views.map(({ savedBy }) => savedBy);
  return viewsPage(request, { list, table: tables[list], views, names: await namesOf(reader, savers), entry });
}

async function save(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { service, caller, fields } = request;
  const list = choiceIn(fields, 'list', viewedLists);
  const filters = new URLSearchParams(fields.get('filter') ?? '');
  const { shown: filter } = enteredFilter(service, caller, tables[list], filters);
  const [name, replaces] = [fields.get('name') ?? '', fields.get('replace') === 'on'];
  try {
    const view = { list, table: tables[list], name, filter, replaces, origin: originOf(request) };
    await saveView(service, caller, view);
  } catch (error) {
    if (!(error instanceof RefusedView)) throw error;
    return show(request, list, { save: { list, filter, name, replaces, error: error.message } });
  }
  return redirectWithNotice(request, listPath('', list, filter), { kind: 'good', text: 'The view was saved.' });
}

async function rename(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { service, caller, params, fields } = request;
  const [id, name] = [params.id ?? '', fields.get('name') ?? ''];
  try {
    const list = await renameView(service, caller, { id, name, origin: originOf(request) });
    return redirectWithNotice(request, `/views?list=${list}`, { kind: 'good', text: 'The view was renamed.' });
  } catch (error) {
    if (!(error instanceof RefusedView)) throw error;
    return show(request, choiceIn(fields, 'list', viewedLists), { rename: { id, name, error: error.message } });
  }
}

async function remove(request: DashboardRequest): Promise<Response> {
  const { service, caller, params } = request;
  const list = await removeView(service, caller, { id: params.id ?? '', origin: originOf(request) });
  return redirectWithNotice(request, `/views?list=${list}`, { kind: 'good', text: 'The view was removed.' });
}

/** Pages that save, rename and remove views of lists. */
export const views: readonly PageRoute[] = [
  dashboardRoute({
    method: 'get',
    path,
    permission: 'view',
    handle: (request) => show(request, viewedLists.find((list) => list === request.query.get('list')) ?? 'evaluations'),
  }),
  dashboardRoute({ method: 'post', path, permission: 'act', handle: save }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/rename`, permission: 'act', handle: rename }),
  dashboardRoute({ method: 'post', path: `${path}/{id}/remove`, permission: 'act', handle: remove }),
];
