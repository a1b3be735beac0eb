import type { Decision, RoutesOptionsFor, WebhookOptions } from './options.js';
import type { Protection } from './protection.js';
import type { Reply } from './replies.js';
import { type RouteName, routeOf } from './routes.js';
import { jsonType, maxBytes, type VisitorRequest } from './visitor-request.js';

/** Returns the visitor's address, if it is known. */
export type ClientAddress = (request: Request) => string | undefined;

/**
 * Reads a request without consuming its body, so that the application can read it too. Reads JSON and forms, up to 1 MiB:
 * any other body is undefined.
 *
 * @param route The route of a page's request. A body for `nonce` is not read.
 * @throws {TypeError} (rejects with) if the body has been read.
 */
export async function visitorOf(request: Request, ip: string | undefined, route?: RouteName): Promise<VisitorRequest> {
  const { headers } = request;
  const type = headers.get('content-type') ?? '';
  const isRead = route !== 'nonce' && (isForm(type) || isJson(type));
  return { headers, body: isRead ? await parse(request, type) : undefined, ip };
}

/** Returns whether a body is form data. */
export function isForm(type: string): boolean {
  return /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(type);
}

/** Pages that name no type send JSON as text, as `fetch` and `sendBeacon` do with a string. */
function isJson(type: string): boolean {
  return jsonType.test(type) || /^text\/plain/i.test(type);
}

async function parse(request: Request, type: string): Promise<unknown> {
  const copy = copyOf(request);
  try {
    const response = new Response(await readBytes(copy), { headers: { 'content-type': type } });
    return await (isForm(type) ? response.formData() : response.json());
  } catch {
    // Not a body that can have a fingerprint.
    return undefined;
  }
}

/** Returns undefined if the body is too long. */
export async function readBytes({ body }: Request): Promise<Blob | undefined> {
  const parts: BlobPart[] = [];
  if (!body) return new Blob();
  const reader = body.getReader();
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > maxBytes) {
      // Of a copy, this settles only when the application has read the body too.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    parts.push(value);
  }
}

function copyOf(request: Request): Request {
  try {
    return request.clone();
  } catch {
    throw new TypeError(
      'The body was read before. Read that of `request.clone()`, or with Hono `c.req.json()` (docs/adapters.md).',
    );
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
    const visitor = await visitorOf(request, clientAddress(request), route);
    return responseOf(await protection.respond(route, visitor, findUser && (() => findUser(request))));
  };
}

/** Returns a handler of webhooks. */
export function handleWebhook(
  protection: Protection,
  options: WebhookOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const bytes = await readBytes(request);
    return responseOf(await protection.receive(await bytes?.arrayBuffer(), request.headers, options));
  };
}
