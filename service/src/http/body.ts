import type { Context } from 'hono';
import jsonc, { type ParseErrorCode } from 'jsonc-parser';
import { ApiError } from '../ground/errors.js';

export interface ReadBody {
  readonly text: string;
  /** Parsed JSON; `{}` if there is no body. */
  readonly value: unknown;
}

const json = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads a JSON body.
 *
 * @throws {ApiError} `too_large` as soon as the body exceeds the limit; `unsupported_media_type`; `invalid_request`.
 */
export async function readBody(c: Context, limitBytes: number): Promise<ReadBody> {
  const bytes = await readBytes(c, limitBytes);
  if (bytes.byteLength === 0) return { text: '', value: {} };
  requireJson(c.req.header('content-type') ?? '', c.req.header('content-encoding') ?? 'identity');
  const text = decode(bytes);
  return { text, value: parse(text) };
}

/** @throws {ApiError} `unsupported_media_type`, naming the received type. */
function requireJson(type: string, encoding: string): void {
  if (!json.test(type)) {
    const received = type === '' ? 'The body has no Content-Type' : `The Content-Type of the body is ${quoted(type)}`;
    throw new ApiError('unsupported_media_type', { detail: `${received}. Send JSON as application/json.` });
  }
  if (encoding.toLowerCase() !== 'identity') {
    const detail = `The Content-Encoding of the body is ${quoted(encoding)}. Send the body uncompressed.`;
    throw new ApiError('unsupported_media_type', { detail });
  }
}

function quoted(header: string): string {
  return `"${header.slice(0, 100)}"`;
}

/** @throws {ApiError} `too_large`, `invalid_request` */
export async function readText(c: Context, limitBytes: number): Promise<string> {
  return decode(await readBytes(c, limitBytes));
}

async function readBytes(c: Context, limitBytes: number): Promise<ArrayBuffer | Uint8Array> {
  const detail = `The body must have at most ${limitBytes} bytes.`;
  // The HTTP parser enforces Content-Length. Without it, the body is chunked and its size unknown.
  if (Number(c.req.header('content-length') ?? 0) > limitBytes) throw new ApiError('too_large', { detail });
  try {
    if (c.req.header('transfer-encoding') === undefined) return await c.req.arrayBuffer();
    const bytes = await readChunks(c.req.raw.body, limitBytes);
    if (bytes) return bytes;
  } catch (cause) {
    throw new ApiError('invalid_request', {
      detail: 'The connection ended before the whole body was received. Send it again.',
      cause,
    });
  }
  throw new ApiError('too_large', { detail });
}

/** Reads a stream; undefined if it exceeds the limit. */
async function readChunks(
  stream: ReadableStream<Uint8Array> | null,
  limitBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a body. Other encodings are refused: with a replacement for each character that is not UTF-8, the names of two
 * users could become the same.
 */
function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new ApiError('invalid_request', { errors: [{ path: '', message: 'must be encoded as UTF-8' }], cause });
  }
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

const parseOptions = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

export interface JsonFault {
  /** `comma expected` */
  readonly what: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

/**
 * Returns the first syntax error of a text that is not valid JSON, without quoting the text. Undefined if its position
 * cannot be found, for example if the text is nested too deeply.
 *
 * The messages of `JSON.parse` quote the text, and many contain no position.
 */
export function jsonFault(text: string): JsonFault | undefined {
  let first: JsonFault | undefined;
  try {
    const onError = (code: ParseErrorCode, _offset: number, _length: number, line: number, column: number) => {
      first ??= { what: inWords(jsonc.printParseErrorCode(code)), line: line + 1, column: column + 1 };
    };
    jsonc.visit(text, { onError }, parseOptions);
  } catch (error) {
    // The parser is recursive.
    if (!(error instanceof RangeError)) throw error;
  }
  return first;
}

/** Returns the name of an error in words: `CommaExpected` as "comma expected". */
function inWords(name: string): string {
  return name.replace(/(?!^)[A-Z]/g, ' $&').toLowerCase();
}
