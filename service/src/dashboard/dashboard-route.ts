import type { Context } from 'hono';
import { formTokenOf, isFormTokenOf } from '../ground/crypto/index.js';
import { ApiError } from '../ground/errors.js';
import type { AppContext, HttpEnv } from '../http/environment.js';
import { basePathOf, redirect } from '../http/pages/page-response.js';
import { type PageRoute, readForm, withinPageLimits } from '../http/pages/page-route.js';
import type { Service } from '../resources/service.js';
import type { AdminRequest, DashboardRequest } from './dashboard-request.js';
import { findDashboardCaller, readConditions } from './load.js';
import { isFromOwnPage, noSessionCookie, readSessionCookie } from './request.js';
import { respond, respondToError } from './respond.js';
import { type DashboardSession, dropNotice, findSession } from './sign-in/session.js';
import { type AdminPage, type DashboardPage, renderAdminPage, renderDashboardPage } from './view/layout.js';

export type { AdminRequest, DashboardRequest } from './dashboard-request.js';
export { redirectWithNotice } from './respond.js';
export type { AdminPage, DashboardPage } from './view/layout.js';

/** Large enough for settings such as lists of addresses. */
const formLimitBytes = 256 * 1024;

interface Route {
  readonly method: 'get' | 'post';
  readonly path: string;
}

/**
 * Defines a page of a project's world for signed-in administrators, and redirects others to sign-in. The path begins
 * with `/dashboard/{project}/{mode}`. An unknown project or mode renders a 404 page, and so does an `ApiError`
 * `not_found` from `handle`. Posted forms have passed the CSRF check before `handle` runs. Respond to a form with
 * `redirectWithNotice`, or with the page again if a value is invalid.
 */
export function dashboardRoute({
  method,
  path,
  handle,
}: Route & { readonly handle: (request: DashboardRequest) => Promise<DashboardPage | Response> }): PageRoute {
  return signedInRoute({ method, path }, async (request) => {
    const world = await enterWorld(request);
    const page = await handle(world);
    return page instanceof Response ? page : respond(renderDashboardPage(world, page), page);
  });
}

/** Defines a page for signed-in administrators that belongs to no project. */
export function adminRoute({
  method,
  path,
  handle,
}: Route & { readonly handle: (request: AdminRequest) => Promise<AdminPage | Response> }): PageRoute {
  return signedInRoute({ method, path }, async (request) => {
    const page = await handle(request);
    return page instanceof Response ? page : respond(renderAdminPage(request, page), page);
  });
}

function signedInRoute({ method, path }: Route, handle: (request: AdminRequest) => Promise<Response>): PageRoute {
  return {
    method,
    path,
    prepare: (context) => (c) =>
      servePage(context, c, async (address) => {
        const { service } = context;
        const token = readSessionCookie(service, c);
        const session = await findSession(service, token);
        if (!session) return redirectToSignIn(service, c, token !== undefined);
        const fields = method === 'post' ? await readOwnForm(service, c, session) : new URLSearchParams();
        const conditions = await readConditions(service);
        const response = await handle(adminRequestOf(service, c, session, { address, fields, conditions }));
        // A redirect leaves the notice for the next page.
        if (session.notice && method === 'get' && response.status !== 303) await dropNotice(service, session.token);
        return response;
      }),
  };
}

/** Handles a request within the rate limits for pages. Errors are rendered as pages too. */
export async function servePage(
  context: AppContext,
  c: Context<HttpEnv>,
  handle: Parameters<typeof withinPageLimits<Response>>[3],
): Promise<Response> {
  try {
    return await withinPageLimits(context, c, 'dashboard', handle);
  } catch (thrown) {
    return respondToError(context.service, c, thrown);
  }
}

async function readOwnForm(
  service: Service,
  c: Context<HttpEnv>,
  { token }: DashboardSession,
): Promise<URLSearchParams> {
  const fields = isFromOwnPage(c, service.publicUrl) ? await readForm(c, formLimitBytes) : undefined;
  if (fields && isFormTokenOf(service.vault, 'dashboard.csrf', token, fields.get('csrf'))) return fields;
  throw new ApiError('forbidden', {
    detail:
      'This form has expired or does not belong to your session. Go back, reload the page, and submit the form again.',
  });
}

function adminRequestOf(
  service: Service,
  c: Context<HttpEnv>,
  { token, admin, notice, isConfirmed }: DashboardSession,
  own: Pick<AdminRequest, 'address' | 'fields' | 'conditions'>,
): AdminRequest {
  return {
    service,
    c,
    admin,
    ...own,
    params: c.req.param(),
    query: new URL(c.req.url).searchParams,
    formToken: formTokenOf(service.vault, 'dashboard.csrf', token),
    basePath: basePathOf(service),
    notice,
    isConfirmed,
    sessionToken: token,
  };
}

async function enterWorld(request: AdminRequest): Promise<DashboardRequest> {
  const { service, c, params, basePath } = request;
  const caller = await findDashboardCaller(service, params.project ?? '', params.mode ?? '');
  if (!caller) throw new ApiError('not_found', { detail: 'This project does not exist.' });
  const { project, worldId, mode } = caller;
  c.set('projectId', project.id);
  return {
    ...request,
    world: { projectId: project.id, projectName: project.name, worldId, mode },
    caller,
    base: `${basePath}/dashboard/${project.id}/${mode}`,
  };
}

/** Redirects to sign-in, which then redirects back to the requested page unless the request posted a form. */
function redirectToSignIn(service: Service, c: Context<HttpEnv>, hadSession: boolean): Response {
  const { pathname, search } = new URL(c.req.url);
  const basePath = basePathOf(service);
  const query = c.req.method === 'POST' ? '' : `?${new URLSearchParams({ next: basePath + pathname + search })}`;
  return redirect(`${basePath}/dashboard/sign-in${query}`, hadSession ? [noSessionCookie(service)] : []);
}
