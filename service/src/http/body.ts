import type { Context } from 'hono';
import { ApiError } from '../errors.js';

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
  const encoding = c.req.header('content-encoding') ?? 'identity';
  if (!json.test(c.req.header('content-type') ?? '') || encoding !== 'identity') {
    throw new ApiError('unsupported_media_type', { detail: 'Send JSON, uncompressed, as application/json.' });
  }
  return { text, value: parse(text) };
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
    throw new ApiError('invalid_request', { detail: 'The body broke off.', cause });
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
    throw new ApiError('invalid_request', {
      detail: 'The body is not JSON.',
      errors: [{ path: '', message: 'must be JSON' }],
      cause,
    });
  }
}
