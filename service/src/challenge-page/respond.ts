import type { Context } from 'hono';
import { formTokenOf, isFormTokenOf } from '../ground/crypto/index.js';
import { ApiError, errorTable } from '../ground/errors.js';
import type { HttpEnv } from '../http/environment.js';
import {
  basePathOf,
  hashSource,
  type PageSources,
  pageCookie,
  pageHeaders,
  readPageCookie,
} from '../http/pages/page-response.js';
import { errorResponse } from '../http/response.js';
import { defaultSettings } from '../resources/projects/rules/settings.js';
import type { Caller, Service } from '../resources/service.js';
import { pageMessagesFor } from './messages/languages.js';
import type { Step } from './rules.js';
import { noticeOfVisit, showStep } from './show.js';
import { renderChallengePage } from './view.js';
import type { ChallengePage, NoVisitStep } from './view-parts.js';
import { returnUrlOf, type Visit, visitLifetimeSeconds } from './visit.js';

/** Returns the service's base path and the path of a challenge's page. */
export function pathsOf(service: Pick<Service, 'publicUrl'>, challengeId: string) {
  const basePath = basePathOf(service);
  return { basePath, action: `${basePath}/challenge/${encodeURIComponent(challengeId)}` };
}

/** Returns the current page of a visit. */
export async function respondToVisit(
  service: Service,
  c: Context<HttpEnv>,
  visit: Visit,
  session: string,
): Promise<Response> {
  const { caller, row } = visit;
  c.set('projectId', caller.project.id);
  const { action } = pathsOf(service, row.challenge_id);
  const step = await showStep(service, visit);
  return respondWithStep(service, c, {
    caller,
    step,
    shownNotice: isOpen(step.name) ? noticeOfVisit(service, row) : undefined,
    forms: { action, token: formTokenOf(service.vault, formPurpose, session) },
    returnUrl: returnUrlOf(service, visit),
  });
}

/** Returns a page in the look of the caller's project. */
export function respondWithStep(
  service: Service,
  c: Context<HttpEnv>,
  {
    caller,
    ...page
  }: { readonly caller: Caller; readonly step: Step } & Pick<ChallengePage, 'shownNotice' | 'forms' | 'returnUrl'>,
): Response {
  const { challenge_page: settings } = caller.settings;
  const isRefused = page.step.name === 'another';
  const response = respond(isRefused ? errorTable[foreignBrowser].status : 200, {
    messages: pageMessagesFor(settings.language, c.req.header('accept-language')),
    brand: { name: settings.name ?? caller.project.name, settings },
    basePath: basePathOf(service),
    ...page,
    now: service.now(),
  });
  if (isRefused) response.headers.set('Whorl-Error-Code', foreignBrowser);
  return response;
}

const foreignBrowser = 'challenge_of_another_browser';

const isOpen = (name: ChallengePage['step']['name']) => name === 'ask' || name === 'enter' || name === 'devices';

/** Returns the same page for used links, expired visits and unknown challenges, so that it reveals nothing. */
export function respondInvalidLink(service: Service, c: Context<HttpEnv>): Response {
  return pageWithoutVisit(service, c, 403, 'invalid_link');
}

/** Returns the error page for anything thrown. */
export function respondToError(service: Service, c: Context<HttpEnv>, thrown: unknown): Response {
  const { status } = errorResponse(service, thrown, c.get('requestId'));
  const retryAfter = thrown instanceof ApiError ? thrown.retryAfterSeconds : undefined;
  const response = pageWithoutVisit(service, c, status, status === 429 ? 'busy' : 'failed');
  if (retryAfter !== undefined) response.headers.set('Retry-After', String(retryAfter));
  return response;
}

function pageWithoutVisit(service: Service, c: Context<HttpEnv>, status: number, name: NoVisitStep): Response {
  const messages = pageMessagesFor(null, c.req.header('accept-language'));
  const { basePath } = pathsOf(service, '');
  const brand = { name: new URL(service.publicUrl).hostname, settings: defaultSettings.challenge_page };
  return respond(status, { messages, brand, basePath, step: { name }, now: service.now() });
}

function respond(status: number, page: ChallengePage): Response {
  const { body, styles } = renderChallengePage(page);
  // An application can open the page as a window and wait until it is closed.
  const headers = pageHeaders(sourcesOf(page, styles), { keepsOpener: true });
  return new Response(body, { status, headers });
}

function sourcesOf({ brand, returnUrl }: ChallengePage, styles: string): PageSources {
  const { logo_url } = brand.settings;
  return {
    styles: hashSource(styles),
    scripts: "'self'",
    // `data:` is for the empty icon, which keeps browsers from requesting one.
    images: `data:${logo_url ? ` ${new URL(logo_url).origin}` : ''}`,
    // Browsers apply form-action to redirects too, and the last form redirects to the return URL.
    forms: `'self'${returnUrl ? ` ${new URL(returnUrl).origin}` : ''}`,
  };
}

/**
 * Each challenge has its own cookie name, because over https the cookies' path is `/` and browsers send all of them to
 * every page.
 */
const cookieName = (challengeId: string) => `whorl_challenge_${challengeId}`;
const formPurpose = 'challenge-page.csrf';

export function readSession(service: Pick<Service, 'publicUrl'>, c: Context, challengeId: string): string | undefined {
  return readPageCookie(service, c, cookieName(challengeId));
}

/** Returns the cookie of a visit to the challenge page. */
export function sessionCookie(
  service: Pick<Service, 'publicUrl'>,
  { challengeId, path, session }: { readonly challengeId: string; readonly path: string; readonly session: string },
): string {
  return pageCookie(service, {
    name: cookieName(challengeId),
    value: session,
    path,
    sameSite: 'Lax',
    seconds: visitLifetimeSeconds,
  });
}

/** Returns whether a form comes from a page of this visit. */
export function isOwnForm({ vault }: Pick<Service, 'vault'>, session: string, fields: URLSearchParams): boolean {
  return isFormTokenOf(vault, formPurpose, session, fields.get('csrf'));
}
