import { readBrowser } from './collector/index.js';
import { fingerprintOf } from './fingerprint-of.js';
import { type GetHashOptions, type ResolvedOptions, resolveOptions } from './options.js';
import { openStorage } from './storage/index.js';

/** `[current fingerprint, last saved fingerprint]`; the last is '' on a browser's first visit. */
export type HashPair = [current: string, last: string];

const running = new Map<string, Promise<HashPair>>();

/**
 * Reads the browser and resolves to its current fingerprint and the last saved one (interface specification, part 1).
 *
 * Takes some tens of milliseconds, and lets the page work after every 4 ms of it. What cannot be read is left out and
 * never makes it fail. Calls at the same time with the same options share one collection. After a change the last
 * fingerprint stays the older one for 30 days.
 *
 * @throws {WhorlError} (rejects with) `not_in_browser` on a server or in a worker, `invalid_options` for an option
 *   that cannot be.
 */
export async function getHash(options?: GetHashOptions): Promise<HashPair> {
  const resolved = resolveOptions(options);
  const key = JSON.stringify(resolved);
  const shared = running.get(key) ?? start(resolved).finally(() => running.delete(key));
  running.set(key, shared);
  // A copy each: what one caller does to its answer is not seen by another.
  return [...(await shared)];
}

async function start(options: ResolvedOptions): Promise<HashPair> {
  const storage = openStorage(options.scope);
  const current = fingerprintOf(await readBrowser(options), options.scope);
  return [current, await storage.save(current)];
}
