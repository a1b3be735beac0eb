import { createHash } from 'node:crypto';
import { open, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename } from 'node:path';
import { minuteMs } from '../../../ground/time.js';
import { type Downloaded, type DownloadOptions, download, downloadText } from './download.js';
import { inspect } from './inspect.js';
import { findChecksum } from './rules/checksum.js';
import { type FileFacts, refusalOf } from './rules/refusal.js';
import { type PublishedSource, urlsOf } from './rules/sources-file.js';
import { newState, type SourceState } from './rules/update-state.js';
import { draftIn, isUntouched } from './state-file.js';
import { unpack } from './unpack.js';
import { UpdateError } from './update-error.js';

/** Bounds of a download. */
export interface UpdateLimits {
  readonly downloadBytes: number;
  readonly unpackedBytes: number;
  /** Lists are read as a whole into a string. */
  readonly listBytes: number;
  readonly idleMs: number;
  /** Maximum duration of one download. */
  readonly totalMs: number;
}

export const defaultLimits: UpdateLimits = {
  downloadBytes: 512 * 1024 ** 2,
  unpackedBytes: 1024 ** 3,
  listBytes: 64 * 1024 ** 2,
  idleMs: minuteMs / 2,
  totalMs: 15 * minuteMs,
};
const checksumBytes = 64 * 1024;

export interface UpdateContext {
  readonly folder: string;
  /** Path of the source's file. */
  readonly path: string;
  readonly state: SourceState | undefined;
  /** Accepts files that are older, smaller or broader than expected, and downloads again what has not changed. */
  readonly force: boolean;
  readonly now: Date;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits: UpdateLimits;
  readonly signal: AbortSignal;
}

export interface Updated {
  readonly outcome: 'updated' | 'unchanged';
  readonly state: SourceState;
}

/**
 * Downloads, checks and replaces the file of one source. If anything fails, the previous file stays.
 *
 * @throws UpdateError, or an error of the network, zlib or the file system.
 */
export async function updateSource(source: PublishedSource, context: UpdateContext): Promise<Updated> {
  const { folder, path, force, now, limits } = context;
  const state = context.state ?? newState;
  const isKept = await isUntouched(path, state.file);
  const packed = draftIn(folder);
  const content = draftIn(folder);
  const timeout = AbortSignal.timeout(limits.totalMs);
  const signal = AbortSignal.any([context.signal, timeout]);
  try {
    const loaded = await downloadNewest(source, { ...context, signal, to: packed, known: isKept ? state : newState });
    if (loaded === 'unchanged' || (!force && isKept && loaded.sha256 === state.sha256)) {
      return { outcome: 'unchanged', state: await confirmed(source, context, state) };
    }
    const maxBytes = source.kind === undefined ? limits.unpackedBytes : limits.listBytes;
    await unpack(packed, content, { maxBytes, signal });
    const facts = await inspect(content, source);
    const used = isKept ? factsOf(state) : await inspect(path, source).catch(() => undefined);
    const refusal = force ? undefined : refusalOf(facts, used, now);
    if (refusal !== undefined) throw new UpdateError(`${refusal}; --force accepts it`);
    await replace(content, path);
    const { url, ...headers } = loaded;
    return { outcome: 'updated', state: await stateAfter(path, { facts, now, url, headers }) };
  } catch (error) {
    if (timeout.aborted) throw new UpdateError(`it took longer than ${limits.totalMs / minuteMs} minutes`);
    if (context.signal.aborted) throw new UpdateError('it was interrupted');
    throw error;
  } finally {
    await rm(packed, { force: true });
    await rm(content, { force: true });
  }
}

interface NewestOptions extends UpdateContext {
  readonly to: string;
  /** State that belongs to the file in use. */
  readonly known: SourceState;
}

/** Downloads the file of the newest month that exists, and compares its checksum. */
async function downloadNewest(
  source: PublishedSource,
  { to, known, force, now, environment, limits, signal }: NewestOptions,
): Promise<(Downloaded & { readonly url: string }) | 'unchanged'> {
  const authorization = authorizationOf(source, environment);
  const { downloadBytes: maxBytes, idleMs } = limits;
  const checksums = urlsOf(source.checksum ?? '', now);
  for (const [index, url] of urlsOf(source.url, now).entries()) {
    const isSame = !force && known.url_hash === hashOf(url);
    const conditions = isSame ? { etag: known.etag, lastModified: known.last_modified } : {};
    const options: DownloadOptions = { url: new URL(url), authorization, maxBytes, idleMs, signal };
    const loaded = await download(to, { ...options, ...conditions });
    if (loaded === 'missing') continue;
    if (loaded === 'unchanged') return loaded;
    if (source.checksum !== undefined) {
      const expected = await checksumFrom(checksums[index] ?? source.checksum, options);
      if (expected !== loaded.sha256) throw new UpdateError('its SHA-256 is not the one that the publisher names');
    }
    return { ...loaded, url };
  }
  throw new UpdateError('the server answered 404');
}

/** Returns the expected checksum. Its file gets the authorisation only if it is at the same origin. */
async function checksumFrom(checksum: string, options: DownloadOptions): Promise<string> {
  if (checksum.startsWith('sha256:')) return checksum.slice('sha256:'.length).toLowerCase();
  const url = new URL(checksum);
  const authorization = url.origin === options.url.origin ? options.authorization : undefined;
  const text = await downloadText({ ...options, url, authorization, maxBytes: checksumBytes });
  const found = findChecksum(text, basename(options.url.pathname));
  if (found === undefined) throw new UpdateError('the file of the checksum contains no SHA-256');
  return found;
}

function authorizationOf(
  { authorization_env: variable }: PublishedSource,
  environment: UpdateContext['environment'],
): string | undefined {
  if (variable === undefined) return undefined;
  const value = environment[variable]?.trim();
  if (!value) throw new UpdateError(`the environment variable ${variable} is not set`);
  // Node's error for an invalid header would be less helpful.
  if (!/^[\x20-\x7e]+$/.test(value)) throw new UpdateError(`${variable} is not a valid Authorization header`);
  return value;
}

/** Returns the state after the publisher confirmed the file in use. A list is as fresh as its last confirmation. */
async function confirmed(
  { kind }: PublishedSource,
  { path, now }: UpdateContext,
  { error: _error, ...state }: SourceState,
): Promise<SourceState> {
  if (kind !== undefined) await utimes(path, now, now);
  const file = state.file && { ...state.file, changed_ms: (await stat(path)).mtimeMs };
  return { ...state, ...(file && { file }), failures: 0, checked_at: now.toISOString() };
}

interface Replaced {
  readonly facts: FileFacts;
  readonly now: Date;
  readonly url: string;
  readonly headers: Downloaded;
}

async function stateAfter(path: string, { facts, now, url, headers }: Replaced): Promise<SourceState> {
  const { bytes, builtAt, ranges } = facts;
  const { sha256, etag, lastModified } = headers;
  return {
    checked_at: now.toISOString(),
    updated_at: now.toISOString(),
    url_hash: hashOf(url),
    sha256,
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { last_modified: lastModified }),
    file: {
      bytes,
      changed_ms: (await stat(path)).mtimeMs,
      ...(builtAt && { built_at: builtAt.toISOString() }),
      ...(ranges !== undefined && { ranges }),
    },
    failures: 0,
  };
}

function factsOf({ file }: SourceState): FileFacts | undefined {
  if (!file) return undefined;
  const { bytes, built_at: builtAt, ranges } = file;
  return {
    bytes,
    ...(builtAt !== undefined && { builtAt: new Date(builtAt) }),
    ...(ranges !== undefined && { ranges }),
  };
}

/** Writes a file to the disk before it takes the place of another one, so that a power failure leaves one of both. */
async function replace(draft: string, path: string): Promise<void> {
  const file = await open(draft, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
