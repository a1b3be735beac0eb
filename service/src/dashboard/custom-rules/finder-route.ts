import type { Target } from '../../effects/rule-finder/rules/find.js';
import { targetLimits } from '../../effects/rule-finder/rules/limits.js';
import { cancelSearch, startSearch } from '../../effects/rule-finder/start.js';
import type { PageRoute } from '../../http/pages/page-route.js';
import { type DashboardPage, type DashboardRequest, dashboardRoute, redirectWithNotice } from '../dashboard-route.js';
import { findSearch, loadSearches } from './finder-load.js';
import { type FinderForm, finderPage, searchPage } from './finder-view.js';

const path = '/dashboard/{project}/{mode}/rules/finder';

const usual: FinderForm = { caught: '80', honest: '1', errors: new Map() };

async function show(request: DashboardRequest, entered = usual): Promise<DashboardPage> {
  return finderPage(request, { entered, searches: await loadSearches(request) });
}

async function start(request: DashboardRequest): Promise<DashboardPage | Response> {
  const { fields, service, world } = request;
  const [caught = '', honest = ''] = ['caught', 'honest'].map((name) => fields.get(name) ?? '');
  const target = { caught: shareIn(caught), honest: shareIn(honest) };
  const errors = errorsOf(target);
  if (errors.size > 0) return { ...(await show(request, { caught, honest, errors })), status: 422 };
  const id = await startSearch(service, { worldId: world.worldId, target });
  if (id !== undefined) return redirectWithNotice(request, `/rules/finder/${id}`);
  const text = 'Another search of this mode is running. Wait until it has finished, or cancel it.';
  return redirectWithNotice(request, '/rules/finder', { kind: 'bad', text });
}

/** Returns the share of a percentage; NaN if it is not a number. */
function shareIn(text: string): number {
  return /^\d{1,3}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) / 100 : Number.NaN;
}

function errorsOf(target: Target): Map<string, string> {
  const names = ['caught', 'honest'] as const;
  return new Map(
    names.flatMap((name) => {
      const { min, max } = targetLimits[name];
      const isValid = target[name] * 100 >= min && target[name] * 100 <= max;
      return isValid ? [] : [[name, `Enter a number from ${min} to ${max}.`] as const];
    }),
  );
}

async function showSearch(request: DashboardRequest): Promise<DashboardPage> {
  return searchPage(request, await findSearch(request, request.params.search));
}

async function cancel(request: DashboardRequest): Promise<Response> {
  const search = await findSearch(request, request.params.search);
  await cancelSearch(request.service, search);
  return redirectWithNotice(request, `/rules/finder/${search.id}`);
}

const permission = 'change_settings';

/** Pages that search a rule by labelled evaluations. */
export const ruleFinder: readonly PageRoute[] = [
  dashboardRoute({ method: 'get', path, permission, handle: (request) => show(request) }),
  dashboardRoute({ method: 'post', path, permission, handle: start }),
  dashboardRoute({ method: 'get', path: `${path}/{search}`, permission, handle: showSearch }),
  dashboardRoute({ method: 'post', path: `${path}/{search}/cancel`, permission, handle: cancel }),
];
