import type { Context } from 'hono';
import { hourSeconds } from '../ground/time.js';
import type { AppContext, HttpEnv } from '../http/environment.js';
import { redirect } from '../http/pages/page-response.js';
import { type PageRoute, readForm, withinPageLimits } from '../http/pages/page-route.js';
import type { Address } from '../resources/addresses/addresses.js';
import { isChannel } from '../resources/challenges/rules/methods/methods.js';
import type { Service } from '../resources/service.js';
import { disownVisit, enterCode, finishVisit, requestCode, signOutDevice } from './act.js';
import { check, countdown } from './assets.js';
import { checkBrowser, confirmBrowser, isBound } from './browser.js';
import { disownChallenge, showDisowning } from './disown.js';
import { disownNotice, showNotice } from './notice.js';
import {
  isOwnForm,
  pathsOf,
  readSession,
  respondInvalidLink,
  respondToError,
  respondToVisit,
  sessionCookie,
} from './respond.js';
import { checkPath, countdownPath } from './view.js';
import { beginVisit, findVisit, returnUrlWhenCompleted, type Visit } from './visit.js';

/** Shows the page. With a `token`, uses the link and removes the token from the URL. */
const show: PageRoute = {
  method: 'get',
  path: '/challenge/{id}',
  prepare: (context) => (c) =>
    servePage(context, c, async () => {
      const { service } = context;
      const challengeId = c.req.param('id') ?? '';
      const token = c.req.query('token');
      // Link scanners send HEAD requests, which must not use up the link.
      if (c.req.method === 'HEAD') return respondInvalidLink(service, c);
      if (token !== undefined) return useLink(service, c, challengeId, token);
      const session = readSession(service, c, challengeId);
      const visit = await findVisit(service, challengeId, session);
      return visit && session ? respondToVisit(service, c, visit, session) : respondInvalidLink(service, c);
    }),
};

async function useLink(service: Service, c: Context<HttpEnv>, challengeId: string, token: string): Promise<Response> {
  const { action } = pathsOf(service, challengeId);
  const session = await beginVisit(service, { challengeId, token, returnUrl: c.req.query('return_url') });
  if (session) return redirect(action, [sessionCookie(service, { challengeId, path: action, session })]);
  // Going back in the browser opens the used link again while the visit is still active.
  const visit = await findVisit(service, challengeId, readSession(service, c, challengeId));
  return visit ? redirect(action) : respondInvalidLink(service, c);
}

/**
 * Defines the route of a form. The page is shown again afterwards.
 *
 * @param options.needsBrowser Whether it works only in the browser that began the challenge. Default: true.
 */
function step(
  name: string,
  act: (service: Service, visit: Visit, fields: URLSearchParams, address: Address | undefined) => Promise<void>,
  { needsBrowser = true }: { readonly needsBrowser?: boolean } = {},
): PageRoute {
  return {
    method: 'post',
    path: `/challenge/{id}/${name}`,
    prepare: (context) => (c) =>
      servePage(context, c, async (address) => {
        const { service } = context;
        const fields = await readForm(c);
        const challengeId = c.req.param('id') ?? '';
        const session = readSession(service, c, challengeId);
        const visit = await findVisit(service, challengeId, session);
        if (!visit || !session || !isOwnForm(service, session, fields)) return respondInvalidLink(service, c);
        c.set('projectId', visit.caller.project.id);
        if (!needsBrowser || isBound(visit)) await act(service, visit, fields, address);
        return redirect((await returnUrlWhenCompleted(service, visit)) ?? pathsOf(service, challengeId).action);
      }),
  };
}

function channelIn(fields: URLSearchParams) {
  const channel = fields.get('channel');
  return isChannel(channel) ? channel : undefined;
}

function checkStep(service: Service, visit: Visit, fields: URLSearchParams, address: Address | undefined) {
  const field = (name: string) => fields.get(name) ?? '';
  return checkBrowser(service, visit, { fingerprint: field('fingerprint'), proof: field('proof'), address });
}

function script(path: string, text: string): PageRoute {
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': `public, max-age=${hourSeconds}`,
  };
  return { method: 'get', path, prepare: () => () => new Response(text, { headers }) };
}

/** A "This was not me" link of a message (docs/messages.md). */
const disownPages: readonly PageRoute[] = [
  {
    method: 'get',
    path: '/n/{token}',
    prepare: (context) => (c) =>
      servePage(context, c, () => showDisowning(context.service, c, c.req.param('token') ?? '')),
  },
  {
    method: 'post',
    path: '/n/{token}/skip',
    prepare: (context) => (c) =>
      servePage(context, c, () => disownChallenge(context.service, c, c.req.param('token') ?? '')),
  },
];

/** A "This was not me" link of a message about a device, a change or a login (docs/devices-page.md). */
const noticePages: readonly PageRoute[] = [
  {
    method: 'get',
    path: '/n/account/{token}',
    prepare: (context) => (c) =>
      servePage(context, c, () => showNotice(context.service, c, c.req.param('token') ?? '')),
  },
  {
    method: 'post',
    path: '/n/account/{token}/disown',
    prepare: (context) => (c) =>
      servePage(context, c, () => disownNotice(context.service, c, c.req.param('token') ?? '')),
  },
];

/** The managed challenge page (docs/challenge-page.md). */
export const challengePage: readonly PageRoute[] = [
  show,
  step('send', (service, visit, fields) => requestCode(service, visit, channelIn(fields))),
  step('code', (service, visit, fields) => enterCode(service, visit, fields.get('code') ?? '')),
  step('kick', (service, visit, fields) => signOutDevice(service, visit, fields.get('device') ?? '')),
  step('finish', finishVisit),
  step('browser', checkStep, { needsBrowser: false }),
  step('confirm', confirmBrowser, { needsBrowser: false }),
  step('skip', disownVisit, { needsBrowser: false }),
  script(countdownPath, countdown),
  script(checkPath, check),
  ...disownPages,
  ...noticePages,
];

/** Handles a request within the rate limits for pages. Errors are rendered as pages too. */
export async function servePage(
  context: AppContext,
  c: Context<HttpEnv>,
  handle: (address: Address | undefined) => Promise<Response>,
): Promise<Response> {
  try {
    return await withinPageLimits(context, c, 'challenge-page', handle);
  } catch (thrown) {
    return respondToError(context.service, c, thrown);
  }
}
