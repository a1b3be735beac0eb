import { type Components, getComponents, getHash } from 'whorl';
import { changedFacets } from './changed-facets.js';
import { lastSeenAt, noteSeen } from './seen.js';

/** The result of reading this browser. */
export interface BrowserReading {
  readonly current: string;
  /** The last saved fingerprint, or '' on the first visit. */
  readonly last: string;
  /** The duration of `getHash`. */
  readonly durationMs: number;
  /** Days since `last` was seen, if known. */
  readonly elapsedDays: number | undefined;
  /** The data behind the fingerprint, from a second reading right after the first. */
  readonly components: Components;
}

// The server's copy of the script-tag file also serves as its worker.
const options = { workerUrl: '/whorl-worker.min.js' };

/** Reads this browser twice: for the fingerprint, as a site would, and for the data behind it. */
export async function readBrowser(): Promise<BrowserReading> {
  const started = performance.now();
  const [current, last] = await getHash(options);
  const durationMs = performance.now() - started;
  const seenAt = lastSeenAt(last);
  // The saved fingerprint is not always equal: it may contain a facet that could not be read this time.
  noteSeen(changedFacets(current, last)?.length === 0 ? [current, last] : [current], last);
  return {
    current,
    last,
    durationMs,
    elapsedDays: seenAt ? Math.max(0, Date.now() - seenAt) / 86_400_000 : undefined,
    components: await getComponents(options),
  };
}
