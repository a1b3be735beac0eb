import type { IncomingMessage, ServerResponse } from 'node:http';
import { WhorlApiError, WhorlConnectionError, WhorlVerificationError } from 'whorl/server';
import type { Problem } from '../api.js';
import type { Demo, Reply, Visit } from '../demo.js';
import { routes } from '../routes/index.js';
import { shorten } from '../shorten.js';
import { readCookies, setCookie } from './cookies.js';
import { type Fields, readJson } from './json.js';
import { pathOf } from './path.js';
import { Refusal } from './refusal.js';
import type { Site } from './site.js';

const SESSION_COOKIE = 'session';

/** Answers a request of a page. */
export async function answerApi(
  demo: Demo,
  site: Site,
  visitor: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const path = pathOf(request);
  const read = readFields(site, request);
  // One that cannot be read is an exchange too.
  const shown = await read.then(
    (fields) => (request.method === 'GET' ? undefined : shorten(fields)),
    () => undefined,
  );
  const { reply } = await demo.exchanges.answering(visitor, { method, path, request: shown }, async () => {
    const reply = await replyTo(demo, `${method} ${path}`, async () => visitOf(site, request, await read));
    return { reply, status: reply.status, answer: shorten(reply.answer) };
  });
  if (reply.session !== undefined) setCookie(response, SESSION_COOKIE, reply.session);
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(reply.status, headers).end(JSON.stringify(reply.answer));
}

/** Carries a request out; refusals and failures are replies too. */
async function replyTo(demo: Demo, route: string, visit: () => Promise<Visit>): Promise<Reply> {
  try {
    const handler = routes.get(route);
    if (!handler) throw new Refusal(404, 'not_found', 'There is nothing at this address.');
    return await handler(demo, await visit());
  } catch (error) {
    return replyOf(error);
  }
}

/** @throws Refusal for a body that is none, or one that another site's page sends in the visitor's name. */
async function readFields(site: Site, request: IncomingMessage): Promise<Fields> {
  if (request.method === 'GET') return {};
  // The cookie is SameSite=Lax besides. Browsers send Origin with every POST.
  if (request.headers.origin !== site.originOf(request)) {
    throw new Refusal(403, 'forbidden', 'This has to come from a page of the demo.');
  }
  return readJson(request);
}

function visitOf(site: Site, request: IncomingMessage, fields: Fields): Visit {
  return {
    fields,
    ip: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    userAgent: request.headers['user-agent'],
    sessionId: readCookies(request).get(SESSION_COOKIE),
    serviceUrl: site.serviceOf(request),
  };
}

/** What the visitor is told of an error. Only what nobody foresaw is logged. */
function replyOf(error: unknown): Reply {
  if (error instanceof Refusal) {
    const { status, code, message, details } = error;
    return problem(status, { code, message, ...details });
  }
  if (error instanceof WhorlConnectionError || (error instanceof WhorlApiError && error.status >= 500)) {
    const message = 'The service that judges logins is out of reach, so nobody is let in. Try again in a moment.';
    return problem(503, { code: 'unavailable', message });
  }
  if (error instanceof WhorlApiError || error instanceof WhorlVerificationError) {
    return problem(502, { code: error.code, message: `The service refused this: ${error.code}.` });
  }
  console.error(error);
  return problem(500, { code: 'internal', message: 'Something went wrong here.' });
}

function problem(status: number, answer: Problem): Reply {
  return { status, answer };
}
