import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { mayFollow } from './rules/sources-file.js';
import { UpdateError } from './update-error.js';

export interface DownloadOptions {
  readonly url: URL;
  /** Sent only to the origin of the URL. */
  readonly authorization?: string | undefined;
  /** From the last download: the server then need not send the file again. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly maxBytes: number;
  /** Maximum time without any data. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** Description of a downloaded file. */
export interface Downloaded {
  /** Of the bytes as sent, in hexadecimal digits. */
  readonly sha256: string;
  readonly etag?: string;
  readonly lastModified?: string;
}

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Downloads a file to a path at which no file may exist. Returns `unchanged` or `missing` instead if the server says so.
 *
 * @throws UpdateError, or an error of the network or the file system.
 */
export async function download(to: string, options: DownloadOptions): Promise<Downloaded | 'unchanged' | 'missing'> {
  const { maxBytes, signal } = options;
  const response = await follow(options);
  const { statusCode: status = 0, headers } = response;
  if (status !== 200) {
    discard(response);
    if (status === 304) return 'unchanged';
    if (status === 404) return 'missing';
    const isRefused = options.authorization !== undefined && (status === 401 || status === 403);
    throw new UpdateError(`the server answered ${status}${isRefused ? ': check the value for authorization_env' : ''}`);
  }
  const hash = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of limited(chunks, maxBytes)) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(response, hashed, createWriteStream(to, { flags: 'wx' }), { signal });
  const { etag, 'last-modified': lastModified } = headers;
  return { sha256: hash.digest('hex'), ...(etag && { etag }), ...(lastModified && { lastModified }) };
}

/**
 * Downloads a short text.
 *
 * @throws UpdateError, or an error of the network.
 */
export async function downloadText(options: DownloadOptions): Promise<string> {
  const response = await follow(options);
  if (response.statusCode !== 200) {
    discard(response);
    throw new UpdateError(`the server answered ${response.statusCode} for the checksum`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of limited(response, options.maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Passes chunks on. Throws above a number of bytes. */
export async function* limited(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new UpdateError(`the file has more than ${maxBytes} bytes`);
    yield chunk;
  }
}

/** Returns the first response that is not a redirect. */
async function follow({ url: start, authorization, ...options }: DownloadOptions): Promise<IncomingMessage> {
  let url = start;
  let credentials = authorization;
  for (let count = 0; ; count++) {
    const response = await send(url, { ...options, authorization: credentials });
    const { location } = response.headers;
    if (!redirects.has(response.statusCode ?? 0) || location === undefined) return response;
    discard(response);
    if (count === maxRedirects) throw new UpdateError(`the server redirected more than ${maxRedirects} times`);
    const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
    if (!next || !mayFollow(next, start)) throw new UpdateError('the server redirected to an address without https://');
    // Once dropped, it is never sent again.
    if (next.origin !== start.origin) credentials = undefined;
    url = next;
  }
}

function send(url: URL, options: Omit<DownloadOptions, 'url' | 'maxBytes'>): Promise<IncomingMessage> {
  const { authorization, etag, lastModified, idleMs, signal } = options;
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = open(url, {
      agent: false,
      signal,
      timeout: idleMs,
      headers: {
        'User-Agent': 'Whorl-Service',
        'Accept-Encoding': 'identity',
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(etag !== undefined && { 'If-None-Match': etag }),
        ...(lastModified !== undefined && { 'If-Modified-Since': lastModified }),
      },
    });
    let response: IncomingMessage | undefined;
    request.on('timeout', () => {
      const error = new UpdateError(`the server sent nothing for ${idleMs / 1000} seconds`);
      (response ?? request).destroy(error);
    });
    request.on('error', reject).on('response', (received) => {
      response = received;
      resolve(received);
    });
    request.end();
  });
}

/** Closes the connection of a response that is not read. */
function discard(response: IncomingMessage): void {
  response.on('error', () => undefined).destroy();
}
