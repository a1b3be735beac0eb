import { readBrowser } from './collector/index.js';
import type { ReadingResults } from './collector/judge.js';
import { type FacetValues, facetValues, fingerprintOf } from './fingerprint-of.js';
import { type GetHashOptions, resolveOptions } from './options.js';

/** The data behind a fingerprint. Contains readings in plain text: display it, do not send it. */
export interface Components {
  readonly fingerprint: string;
  /** The status, duration in milliseconds and value (if it could be read) of every reading. */
  readonly readings: ReadingResults;
  /** The text digested into each facet, before `scope` is applied. Unreadable facets are missing. */
  readonly facets: FacetValues;
}

/**
 * Reads the browser as `getHash` does, and resolves to all data behind the fingerprint. For inspection, such as on a
 * demo or support page. Saves nothing.
 *
 * @throws {WhorlError} (rejects with) `not_in_browser` on a server or in a worker, `invalid_options` for an option with
 *   an invalid value.
 */
export async function getComponents(options?: GetHashOptions): Promise<Components> {
  const resolved = resolveOptions(options);
  const collection = await readBrowser(resolved);
  return {
    fingerprint: fingerprintOf(collection, resolved.scope),
    readings: collection.readings,
    facets: facetValues(collection),
  };
}
