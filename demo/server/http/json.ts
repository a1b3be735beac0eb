import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.js';

const LARGEST_BODY_BYTES = 16 * 1024;

export type Fields = Readonly<Record<string, unknown>>;

/** @throws Refusal for a body that is no JSON object, or too large. */
export async function readJson(request: IncomingMessage): Promise<Fields> {
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new Refusal(415, 'unsupported_media_type', 'The body has to be JSON.');
  }
  const value = parse((await readBody(request, LARGEST_BODY_BYTES)).toString('utf8'));
  if (isFields(value)) return value;
  throw new Refusal(400, 'invalid_request', 'The body is no JSON object.');
}

/** @throws Refusal for one that is too large. */
export async function readBody(request: IncomingMessage, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > largest) throw new Refusal(413, 'too_large', 'The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
