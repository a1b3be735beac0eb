import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './replies.js';
import { formOf, formType, jsonType, maxBytes } from './visitor-request.js';

/** A request of Node, with what a framework may have added. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown };

/**
 * Returns the parsed body. If the application has no parser for JSON and forms, parses them and sets `request.body`, so
 * that what follows finds them. A body that is not complete, as of a connection that was reset, or is too long is
 * undefined, so that the attempt still counts. Bodies of other types, such as uploads, are left to the application.
 */
export async function bodyOf(request: NodeRequest): Promise<unknown> {
  const { headers } = request;
  const type = headers['content-type'] ?? '';
  const isForm = type.startsWith(formType);
  const isReadable = (isForm || jsonType.test(type)) && headers['content-encoding'] === undefined;
  if (request.body !== undefined || !isReadable || Number(headers['content-length'] ?? 0) > maxBytes) {
    return request.body;
  }
  const body = await parse(request, isForm);
  // `_body` tells the parsers of Express 4 that there is nothing left to read.
  Object.assign(request, { body, _body: true });
  return body;
}

async function parse(request: IncomingMessage, isForm: boolean): Promise<unknown> {
  try {
    const text = String((await readBytes(request)) ?? '');
    return isForm ? formOf(text) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the raw body, or the body that the application has parsed. Undefined if it is too long. */
export async function rawBodyOf(request: NodeRequest): Promise<unknown> {
  return request.body === undefined ? readBytes(request) : request.body;
}

/** Returns undefined if the body is too long. */
async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  // Otherwise, the end of the loop would close the connection before the answer.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > maxBytes) return undefined;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

export function sendReply(response: ServerResponse, { status, body, headers }: Reply): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers ?? {})) {
    // The session may have set a cookie of its own.
    if (name === 'set-cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  // What a page reads here is valid once.
  response.setHeader('cache-control', 'no-store');
  if (body) response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(body && JSON.stringify(body));
}
