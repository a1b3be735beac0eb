import { kept, readOnce, waitBefore } from './collector/index.js';
import type { ReadingName } from './collector/registry.js';
import { getComponents } from './get-components.js';
import { running } from './get-hash.js';
import { type GetHashOptions, resolveOptions } from './options.js';

/** How long the results of slow readings are used. */
const lifetimeMs = 30 * 60_000;

/**
 * Compared with what the worker responded. If these were repeated without the worker, a change while the page is open
 * would look like a contradiction.
 */
const compared: ReadingName[] = ['locale', 'timezone'];

/** All others are fast, and are repeated in each call, because most of them can change while a page is open. */
const slow: ReadingName[] = [
  'worker',
  'audio',
  'fonts',
  'raster',
  'text',
  'metrics',
  'scripts',
  'codecs',
  'surface',
  ...compared,
];

let readAt = 0;
let reading: Promise<unknown> | undefined;

/**
 * Reads the browser when the page is idle, so that `getHash`, `collect` and `evaluate` are fast later, such as at the
 * click on a button (docs/package.md). Stores nothing in the browser and sends nothing.
 *
 * The reading starts in the first idle period (`requestIdleCallback`), or after 2 s. In browsers that do not report
 * idle periods, it starts after 200 ms. Resolves when the reading is complete. Calls during the reading wait for it and
 * use its results. A call before the reading starts does not wait, and the reading then uses the results of that call.
 *
 * For 30 minutes, calls use the results of the slow readings, and repeat only the fast ones. After that, the next call
 * reads everything, and the 30 minutes start again. `scope` does not affect the reading.
 *
 * @throws {WhorlError} (rejects with) `not_in_browser` on a server or in a worker, `invalid_options` for an option with
 *   an invalid value.
 */
export async function prepare(options?: GetHashOptions): Promise<void> {
  resolveOptions(options);
  if (!readAt) {
    readAt = Date.now();
    readOnce.push(...slow);
    waitBefore(shareReading);
  }
  await new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 2000 });
    else setTimeout(resolve, 200);
  });
  await Promise.all(running.values());
  // Builds a fingerprint too, because code is slow when it first runs.
  reading = getComponents(options);
  await reading;
}

/** Waits for a reading of `prepare` that is under way, and removes the results that must not be used any more. */
async function shareReading(): Promise<void> {
  await reading;
  const isOver = Date.now() > readAt + lifetimeMs;
  if (isOver) readAt = Date.now();
  for (const name of isOver ? slow : kept.has('worker') ? [] : compared) kept.delete(name);
}
