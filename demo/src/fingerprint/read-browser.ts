import { type Components, getComponents, getHash } from 'whorl';
import { changedFacets } from './changed-facets.js';
import { lastSeenAt, noteSeen } from './seen.js';

/** What one reading of this browser gave. */
export interface BrowserReading {
  readonly current: string;
  /** The last saved fingerprint, or '' on the first visit. */
  readonly last: string;
  /** How long `getHash` took. */
  readonly durationMs: number;
  /** Days since `last` was seen, where that is known. */
  readonly elapsedDays: number | undefined;
  /** The inside view, from a second reading right after the first. */
  readonly components: Components;
}

// The copy of the script-tag file that the server holds is its own worker.
const options = { workerUrl: '/whorl.min.js' };

/** Reads this browser twice: for the fingerprint, as a site would, and for what is behind it. */
export async function readBrowser(): Promise<BrowserReading> {
  const started = performance.now();
  const [current, last] = await getHash(options);
  const durationMs = performance.now() - started;
  const seenAt = lastSeenAt(last);
  // The saved one is not always a copy: it may have a facet that could not be read this time.
  noteSeen(changedFacets(current, last)?.length === 0 ? [current, last] : [current], last);
  return {
    current,
    last,
    durationMs,
    elapsedDays: seenAt ? Math.max(0, Date.now() - seenAt) / 86_400_000 : undefined,
    components: await getComponents(options),
  };
}
