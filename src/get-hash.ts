import { readBrowser } from './collector/index.js';
import { fingerprintOf } from './fingerprint-of.js';
import { type GetHashOptions, type ResolvedOptions, resolveOptions } from './options.js';
import { openStorage } from './storage/index.js';

/** `[current fingerprint, last saved fingerprint]`. The last one is '' on a browser's first visit. */
export type HashPair = [current: string, last: string];

/** The calls that are under way, by their options. */
export const running = new Map<string, Promise<HashPair>>();

/**
 * Reads the browser and resolves to its current fingerprint and the last saved one (docs/package.md).
 *
 * Takes some tens of milliseconds, and longer while a page loads. Yields to the page after 4 ms of work, but cannot
 * split a single call of the browser. Facets that cannot be read are left out and never cause a failure. Concurrent
 * calls with the same options share one collection. After a change, the previous fingerprint is returned as the last
 * one for 30 days.
 *
 * @throws {WhorlError} (rejects with) `not_in_browser` on a server or in a worker, `invalid_options` for an option with
 *   an invalid value.
 */
export async function getHash(options?: GetHashOptions): Promise<HashPair> {
  const resolved = resolveOptions(options);
  // The scope is the last of them, and the only one that may contain a space.
  const key = Object.values(resolved).join(' ');
  const shared = running.get(key) ?? start(resolved).finally(() => running.delete(key));
  running.set(key, shared);
  // Returns a copy, so that callers cannot change each other's result.
  return [...(await shared)];
}

async function start(options: ResolvedOptions): Promise<HashPair> {
  const save = openStorage(options.scope);
  const current = fingerprintOf(await readBrowser(options), options.scope);
  return [current, await save(current)];
}
