import { readBrowser } from './collector/index.js';
import type { ReadingResults } from './collector/judge.js';
import { type FacetValues, facetValues, fingerprintOf } from './fingerprint-of.js';
import { type GetHashOptions, resolveOptions } from './options.js';

/** What a fingerprint was made of. Holds readings in the clear: to look at, not to send. */
export interface Components {
  readonly fingerprint: string;
  /** Status, duration in milliseconds and, where it could be read, the value of every reading. */
  readonly readings: ReadingResults;
  /** What was digested into each facet, before `scope`; facets that could not be read are missing. */
  readonly facets: FacetValues;
}

/**
 * Reads the browser as `getHash` does, and resolves to everything behind the fingerprint. For a look inside: a demo, a
 * support page. Saves nothing.
 *
 * @throws {WhorlError} (rejects with) `not_in_browser` on a server or in a worker, `invalid_options` for an option
 *   that cannot be.
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
