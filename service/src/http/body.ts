import type { Context } from 'hono';
import { ApiError } from '../errors.js';
import { jsonFault } from './json-fault.js';

export interface ReadBody {
  readonly text: string;
  /** Parsed JSON; `{}` where there was no body. */
  readonly value: unknown;
}

const json = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads a body of JSON.
 *
 * @throws {ApiError} `too_large` over the limit, as soon as it is known; `unsupported_media_type`; `invalid_request`.
 */
export async function readBody(c: Context, limitBytes: number): Promise<ReadBody> {
  const text = await readText(c, limitBytes);
  if (text === '') return { text, value: {} };
  requireJson(c.req.header('content-type') ?? '', c.req.header('content-encoding') ?? 'identity');
  return { text, value: parse(text) };
}

/** @throws {ApiError} `unsupported_media_type`, with what was received. */
function requireJson(type: string, encoding: string): void {
  if (!json.test(type)) {
    const received = type === '' ? 'The body has no Content-Type' : `The Content-Type of the body is ${quoted(type)}`;
    throw new ApiError('unsupported_media_type', { detail: `${received}. Send JSON as application/json.` });
  }
  if (encoding !== 'identity') {
    const detail = `The Content-Encoding of the body is ${quoted(encoding)}. Send the body uncompressed.`;
    throw new ApiError('unsupported_media_type', { detail });
  }
}

function quoted(header: string): string {
  return `"${header.slice(0, 100)}"`;
}

/** @throws {ApiError} `too_large`, `invalid_request` */
export async function readText(c: Context, limitBytes: number): Promise<string> {
  const detail = `A body has at most ${limitBytes} bytes.`;
  // The HTTP parser holds the body to its Content-Length; without one it comes in chunks, and nobody knows how many.
  if (Number(c.req.header('content-length') ?? 0) > limitBytes) throw new ApiError('too_large', { detail });
  try {
    if (c.req.header('transfer-encoding') === undefined) return await c.req.text();
    const text = await readChunks(c.req.raw.body, limitBytes);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new ApiError('invalid_request', {
      detail: 'The connection ended before the whole body was received. Send it again.',
      cause,
    });
  }
  throw new ApiError('too_large', { detail });
}

/** The text of a stream; undefined where it is over the limit. */
async function readChunks(stream: ReadableStream<Uint8Array> | null, limitBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = jsonFault(text);
    const where = fault ? `: ${fault.what} at line ${fault.line}, column ${fault.column}` : '';
    throw new ApiError('invalid_request', {
      detail: `The body is not valid JSON${where}.`,
      errors: [{ path: '', message: `must be valid JSON${where}` }],
      cause,
    });
  }
}
