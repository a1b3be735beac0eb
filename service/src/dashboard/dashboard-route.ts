import type { Context } from 'hono';
import { formTokenOf, isFormTokenOf } from '../ground/crypto/index.js';
import { ApiError } from '../ground/errors.js';
import type { AppContext, HttpEnv } from '../http/environment.js';
import { basePathOf, redirect } from '../http/pages/page-response.js';
import { type PageRoute, readForm, withinPageLimits } from '../http/pages/page-route.js';
import type { Address } from '../resources/addresses/addresses.js';
import { roleInProject } from '../resources/admins/members.js';
import { isAllowed, type Permission, type Role } from '../resources/admins/permissions.js';
import type { Service } from '../resources/service.js';
import type { AdminRequest, DashboardRequest } from './dashboard-request.js';
import { findDashboardCaller, readConditions } from './load.js';
import { readerFor, rememberWrite } from './own-writes.js';
import { isFromOwnPage, noSessionCookie, readNext, readSessionCookie } from './request.js';
import { respond, respondToError } from './respond.js';
import { type DashboardSession, dropNotice, findSession, findWaitingSession } from './sign-in/session.js';
import type { ConfirmAt } from './view/forms.js';
import { type AdminPage, type DashboardPage, renderAdminPage, renderDashboardPage } from './view/layout.js';

export type { AdminRequest, DashboardRequest } from './dashboard-request.js';
export { redirectWithNotice } from './respond.js';
export type { AdminPage, DashboardPage } from './view/layout.js';

/** Large enough for settings such as lists of addresses. */
const formLimitBytes = 256 * 1024;

interface Route {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** What the page is for. Members without this permission get 403. */
  readonly permission: Permission;
  /** Whether a posted form only reads, such as a search. Default: false. */
  readonly onlyReads?: boolean;
  /** Time limit, if it is longer than that of all requests. */
  readonly timeoutMs?: number;
}

/**
 * Defines a page of a project's world for its members with a permission, and redirects visitors to sign-in. The path
 * begins with `/dashboard/{project}/{mode}`. An unknown project or mode renders a 404 page, and so do a project of
 * which the account is not a member, and an `ApiError` `not_found` from `handle`. Posted forms have passed the CSRF
 * check before `handle` runs. Respond to a form with `redirectWithNotice`, or with the page again if a value is
 * invalid.
 */
export function dashboardRoute({
  handle,
  ...route
}: Route & { readonly handle: (request: DashboardRequest) => Promise<DashboardPage | Response> }): PageRoute {
  return signedInRoute(route, async (request) => {
    const world = await enterWorld(request, route.permission);
    const page = await handle(world);
    return page instanceof Response ? page : respond(renderDashboardPage(world, page), page);
  });
}

/** Defines a page for signed-in members that belongs to no project. */
export function adminRoute({
  handle,
  ...route
}: Route & { readonly handle: (request: AdminRequest) => Promise<AdminPage | Response> }): PageRoute {
  return signedInRoute(route, async (request) => {
    if (!request.can(route.permission)) throw notAllowed('Only an owner of this installation can open this page.');
    const page = await handle(request);
    return page instanceof Response ? page : respond(renderAdminPage(request, page), page);
  });
}

function signedInRoute(route: Route, handle: (request: AdminRequest) => Promise<Response>): PageRoute {
  const { method, path, onlyReads = method === 'get', timeoutMs } = route;
  return {
    method,
    path,
    prepare: (context) => async (c) => {
      const { service } = context;
      let mayWrite = false;
      const serve = async (address: Address | undefined) => {
        const token = readSessionCookie(service, c);
        const session = await findSession(service, token, address?.network);
        if (!session) return redirectToEntrance(service, c, token, onlyReads);
        if (session.mustEnrol && route.permission !== 'use_account') {
          return redirect(`${basePathOf(service)}/dashboard/account/second-factor`);
        }
        const fields = method === 'post' ? await readOwnForm(service, c, session) : new URLSearchParams();
        mayWrite = !onlyReads;
        const reader = onlyReads ? readerFor(service, c) : service;
        const conditions = await readConditions(service);
        const respondWith = (reader: Service) =>
          handle(adminRequestOf(service, c, session, { reader, address, fields, conditions }));
        const response = await respondWith(reader).catch((error: unknown) => {
          // The replica may not have it yet.
          if (reader !== service && error instanceof ApiError && error.code === 'not_found')
            return respondWith(service);
          throw error;
        });
        // A redirect leaves the notice for the next page.
        if (session.notice && method === 'get' && response.status !== 303) await dropNotice(service, session.token);
        return response;
      };
      const response = await servePage(context, c, serve, timeoutMs);
      // Also after an error, which may follow a change.
      if (mayWrite) await rememberWrite(service, response);
      return response;
    },
  };
}

/** Handles a request within the rate limits for pages. Errors are rendered as pages too. */
export async function servePage(
  context: AppContext,
  c: Context<HttpEnv>,
  handle: (address: Address | undefined) => Promise<Response>,
  timeoutMs?: number,
): Promise<Response> {
  try {
    return await withinPageLimits(context, c, 'dashboard', handle, timeoutMs);
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

/** Returns where a member without a password confirms, to come back to the page with the form. */
function confirmAtOf(service: Service, c: Context<HttpEnv>, fields: URLSearchParams): ConfirmAt | undefined {
  const { provider } = service.signIn;
  if (!provider) return undefined;
  const basePath = basePathOf(service);
  const { pathname, search } = new URL(c.req.url);
  const shown = c.req.method === 'POST' ? readNext(service, fields.get('page')) : basePath + pathname + search;
  const page = shown ?? `${basePath}/dashboard`;
  const query = new URLSearchParams({ confirm: 'yes', next: page });
  return { name: provider.name, href: `${basePath}/dashboard/sign-in/provider?${query}`, page };
}

function adminRequestOf(
  service: Service,
  c: Context<HttpEnv>,
  { token, admin, notice, isConfirmed }: DashboardSession,
  own: Pick<AdminRequest, 'reader' | 'address' | 'fields' | 'conditions'>,
): AdminRequest {
  return {
    service,
    c,
    admin: { ...admin, ...(!admin.usesPassword && { confirmAt: confirmAtOf(service, c, own.fields) }) },
    can: permissionsOf(admin.isOwner ? 'owner' : 'viewer'),
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

/** Query of the sign-in page after a form that was not saved. */
const unsavedQuery = new URLSearchParams({ unsaved: 'yes' });

const permissionsOf = (role: Role) => (permission: Permission) => isAllowed(role, permission);

const notAllowed = (detail: string) => new ApiError('forbidden', { detail });

/** @throws {ApiError} `not_found` if the account is no member of the project, `forbidden` if its role is too low */
async function enterWorld(request: AdminRequest, permission: Permission): Promise<DashboardRequest> {
  const { service, c, admin, params, basePath } = request;
  const caller = await findDashboardCaller(service, params.project ?? '', params.mode ?? '');
  const role = caller && (await roleInProject(service, admin, caller.project.id));
  if (!caller || !role) throw new ApiError('not_found', { detail: 'This project does not exist.' });
  const can = permissionsOf(role);
  if (!can(permission)) {
    throw notAllowed(
      `Your role in this project is ${role}, which does not include this. Ask an administrator of the project.`,
    );
  }
  const { project, worldId, mode } = caller;
  c.set('projectId', project.id);
  return {
    ...request,
    can,
    world: { projectId: project.id, projectName: project.name, worldId, mode },
    caller,
    base: `${basePath}/dashboard/${project.id}/${mode}`,
  };
}

/**
 * Redirects to sign-in, or to the second factor if the password was entered. Both then redirect back to the requested
 * page unless the request posted a form. If that would have changed something, sign-in says that it did not.
 */
async function redirectToEntrance(
  service: Service,
  c: Context<HttpEnv>,
  token: string | undefined,
  onlyReads: boolean,
): Promise<Response> {
  const isWaiting = (await findWaitingSession(service, token)) !== undefined;
  const hasExpired = token !== undefined && !isWaiting;
  const { pathname, search } = new URL(c.req.url);
  const basePath = basePathOf(service);
  const unsaved = onlyReads ? '' : `?${unsavedQuery}`;
  const query = c.req.method === 'POST' ? unsaved : `?${new URLSearchParams({ next: basePath + pathname + search })}`;
  const page = isWaiting ? 'second-factor' : 'sign-in';
  return redirect(`${basePath}/dashboard/${page}${query}`, hasExpired ? [noSessionCookie(service)] : []);
}
