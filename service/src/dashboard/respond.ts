import type { Context } from 'hono';
import { ApiError } from '../ground/errors.js';
import { OperatorError } from '../ground/operator-error.js';
import type { HttpEnv } from '../http/environment.js';
import { basePathOf, pageHeaders, redirect } from '../http/pages/page-response.js';
import { errorResponse } from '../http/response.js';
import type { Service } from '../resources/service.js';
import type { AdminRequest, DashboardRequest } from './dashboard-request.js';
import type { Notice } from './notice.js';
import { saveNotice } from './sign-in/session.js';
import { renderFailure } from './view/layout.js';

const sources = { styles: "'self'", scripts: "'self'", images: "'self' data:", forms: "'self'" };

interface RespondOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether scripts of the page may send requests to the service. Default: false. */
  readonly connects?: boolean;
}

/** Returns a page of the dashboard as a response. */
export function respond(html: string, { status = 200, headers = {}, connects = false }: RespondOptions = {}): Response {
  return new Response(html, {
    status,
    headers: { ...pageHeaders({ ...sources, ...(connects && { connections: "'self'" }) }), ...headers },
  });
}

/**
 * Redirects after a form to a page that shows the result.
 *
 * @param path Within the request's world: `/devices/…`. Without a world: within the dashboard.
 */
export async function redirectWithNotice(
  request: AdminRequest | DashboardRequest,
  path: string,
  notice?: Notice,
): Promise<Response> {
  if (notice) await saveNotice(request.service, request.sessionToken, notice);
  return redirect(`${'base' in request ? request.base : `${request.basePath}/dashboard`}${path}`);
}

/** Returns the error page for anything thrown. Administrators see the message of an `OperatorError` unchanged. */
export function respondToError(service: Service, c: Context<HttpEnv>, thrown: unknown): Response {
  const requestId = c.get('requestId');
  const show = (status: number, detail: string | undefined, retryAfter?: string) => {
    const html = renderFailure({ basePath: basePathOf(service), status, detail, requestId });
    return respond(html, { status, ...(retryAfter && { headers: { 'Retry-After': retryAfter } }) });
  };
  if (thrown instanceof OperatorError) return show(422, thrown.message);
  const { status, headers } = errorResponse(service, thrown, requestId);
  return show(status, thrown instanceof ApiError && status < 500 ? thrown.detail : undefined, headers?.['Retry-After']);
}

/** Returns whether a person opened a page of the dashboard or the documentation. Programs get errors as JSON. */
export function isBrowserRequest(c: Context<HttpEnv>): boolean {
  const { method, path } = c.req;
  return method === 'GET' && (path.startsWith('/dashboard/') || (path.startsWith('/docs/') && acceptsHtml(c)));
}

/** Returns whether a request comes from a browser that opens a page. */
export function acceptsHtml(c: Context<HttpEnv>): boolean {
  return /(?:^|,)\s*text\/html\b/i.test(c.req.header('accept') ?? '');
}

/** Responds to an address of no page: redirects to the same one without a slash at its end, or shows that nothing is there. */
export function respondToUnknownPage(service: Service, c: Context<HttpEnv>): Response {
  const page = c.req.path.replace(/\/+$/, '');
  if (page !== c.req.path && page.startsWith('/dashboard')) return redirect(`${basePathOf(service)}${page}`);
  return respondToError(service, c, new ApiError('not_found', { detail: 'There is no page at this address.' }));
}
