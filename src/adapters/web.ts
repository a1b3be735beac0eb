import type { Decision, RoutesOptionsFor, WebhookOptions } from './options.js';
import type { Protection } from './protection.js';
import type { Reply } from './replies.js';
import { routeOf } from './routes.js';
import type { VisitorRequest } from './visitor-request.js';

/** Returns the visitor's address, if it is known. */
export type ClientAddress = (request: Request) => string | undefined;

/** Reads a request without consuming its body, so that the application can read it too. */
export async function visitorOf(request: Request, ip: string | undefined): Promise<VisitorRequest> {
  return { headers: request.headers, body: await parse(request.clone()), ip };
}

async function parse(request: Request): Promise<unknown> {
  try {
    const isForm = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i;
    return await (isForm.test(request.headers.get('content-type') ?? '') ? request.formData() : request.json());
  } catch {
    // Not a body that can have a fingerprint.
    return undefined;
  }
}

/** A decision, with its reply as a web response. */
export type WebDecision = Decision & { readonly response: Response | undefined };

export function withResponse(decision: Decision): WebDecision {
  return { ...decision, response: decision.reply && responseOf(decision.reply) };
}

export function responseOf({ status, body, headers }: Reply): Response {
  const type = body && { 'content-type': 'application/json; charset=utf-8' };
  return new Response(body && JSON.stringify(body), {
    status,
    headers: { 'cache-control': 'no-store', ...type, ...headers },
  });
}

/** Returns a handler of the routes that a page calls. */
export function handlePage(
  protection: Protection,
  clientAddress: ClientAddress,
  { user: findUser }: RoutesOptionsFor<[request: Request]> = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    const route = routeOf(new URL(request.url).pathname);
    if (!route) return new Response(null, { status: 404 });
    const visitor = await visitorOf(request, clientAddress(request));
    return responseOf(await protection.respond(route, visitor, findUser && (() => findUser(request))));
  };
}

/** Returns a handler of webhooks. */
export function handleWebhook(
  protection: Protection,
  options: WebhookOptions,
): (request: Request) => Promise<Response> {
  return async (request) => responseOf(await protection.receive(await request.arrayBuffer(), request.headers, options));
}
