import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './replies.js';
import { formOf, formType } from './visitor-request.js';

const maxBytes = 1024 * 1024;

/** A request of Node, with what a framework may have added. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown };

/**
 * Returns the parsed body, or parses JSON and forms if the application has no parser for them. A body that is not
 * complete, as of a connection that was reset, or too long is undefined, so that the attempt still counts.
 */
export async function bodyOf(request: NodeRequest): Promise<unknown> {
  if (request.body !== undefined) return request.body;
  try {
    const text = (await readBytes(request)).toString();
    return request.headers['content-type']?.startsWith(formType) ? formOf(text) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the raw body, or the body that the application has parsed. */
export async function rawBodyOf(request: NodeRequest): Promise<unknown> {
  return request.body === undefined ? readBytes(request) : request.body;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > maxBytes) throw new Error('The body is larger than 1 MiB.');
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
