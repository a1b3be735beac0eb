import { isObject } from '../checks.js';
import { startDeadline } from '../deadline.js';
import { WhorlConnectionError } from '../errors.js';
import { parseJson } from '../json.js';
import type { Fetch, FetchResponse } from '../platform.js';
import { type AgentKey, type AgentKeys, readKeys } from './keys.js';

/** Reads keys from the directories of agents, and caches them. */
export interface Directories {
  /**
   * Returns the key with an ID, or undefined if the directory does not list it.
   *
   * @throws {WhorlConnectionError} if the directory cannot be read, and was not read within 24 hours.
   */
  find(origin: string, keyId: string, timeoutMs: number): Promise<AgentKey | undefined>;
}

interface Entry {
  keys: AgentKeys | undefined;
  readAt: number;
  freshUntil: number;
  /** No earlier request than this, so that visitors cannot make the server send many. */
  nextRequestAt: number;
  failure: unknown;
  pending: Promise<void> | undefined;
}

const path = '/.well-known/http-message-signatures-directory';
const mediaType = /^application\/(?:http-message-signatures-directory\+)?json\s*(?:;|$)/i;
const maxBytes = 65_536;
const maxKeys = 100;
const minuteMs = 60_000;
const [minFreshMs, defaultFreshMs, maxFreshMs] = [5 * minuteMs, 60 * minuteMs, 24 * 60 * minuteMs];

/** Creates an empty cache. Its memory grows with the number of origins, so these must not come from visitors. */
export function createDirectories(fetch: Fetch | undefined): Directories {
  const entries = new Map<string, Entry>();

  async function refresh(origin: string, entry: Entry, timeoutMs: number): Promise<void> {
    entry.nextRequestAt = Date.now() + minuteMs;
    try {
      const { keys, freshMs } = await fetchDirectory(origin + path, timeoutMs, fetch ?? globalThis.fetch);
      const now = Date.now();
      Object.assign(entry, { keys, readAt: now, freshUntil: now + freshMs, failure: undefined });
    } catch (error) {
      entry.failure = error;
    } finally {
      entry.pending = undefined;
    }
  }

  return {
    async find(origin, keyId, timeoutMs) {
      const entry: Entry = entries.get(origin) ?? {
        keys: undefined,
        failure: undefined,
        pending: undefined,
        readAt: 0,
        freshUntil: 0,
        nextRequestAt: 0,
      };
      entries.set(origin, entry);
      const isFresh = Date.now() < entry.freshUntil && entry.keys?.has(keyId);
      if (!isFresh && !entry.pending && Date.now() >= entry.nextRequestAt) {
        entry.pending = refresh(origin, entry, timeoutMs);
      }
      if (!isFresh) await entry.pending;
      if (entry.keys && Date.now() < Math.max(entry.freshUntil, entry.readAt + maxFreshMs)) {
        return entry.keys.get(keyId);
      }
      throw entry.failure ?? unusable(origin);
    },
  };
}

async function fetchDirectory(url: string, timeoutMs: number, fetch: Fetch) {
  const deadline = startDeadline(`GET ${url}`, timeoutMs, undefined);
  try {
    const headers = { accept: 'application/http-message-signatures-directory+json' };
    const sent = fetch(url, { method: 'GET', headers, redirect: 'manual', signal: deadline.signal });
    const response = await deadline.race(sent);
    if (response.status !== 200 || !mediaType.test(response.headers.get('content-type') ?? '')) throw unusable(url);
    const body = parseJson(await deadline.race(readText(response, url)));
    const list = isObject(body) ? body.keys : undefined;
    if (!Array.isArray(list) || list.length > maxKeys) throw unusable(url);
    return { keys: await readKeys(list), freshMs: freshMsOf(response.headers.get('cache-control') ?? '') };
  } finally {
    deadline.clear();
  }
}

/** Reads a body up to the largest size. The rest is not received. */
async function readText(response: FetchResponse, url: string): Promise<string> {
  if (!(response.body instanceof ReadableStream)) {
    const text = await response.text();
    if (text.length > maxBytes) throw unusable(url);
    return text;
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (let { done, value } = await reader.read(); !done && value; { done, value } = await reader.read()) {
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      reader.cancel().catch(() => undefined);
      throw unusable(url);
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

/** Returns how long a directory may be cached, within bounds: it must not be read for each visitor, nor kept for ever. */
function freshMsOf(cacheControl: string): number {
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return minFreshMs;
  const seconds = /\bmax-age=(\d{1,10})\b/i.exec(cacheControl)?.[1];
  if (seconds === undefined) return defaultFreshMs;
  return Math.min(Math.max(Number(seconds) * 1000, minFreshMs), maxFreshMs);
}

function unusable(url: string): WhorlConnectionError {
  return new WhorlConnectionError('invalid_response', `There is no usable directory of keys at ${url}.`);
}
