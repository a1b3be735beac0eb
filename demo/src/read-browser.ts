import { type Components, getComponents, getHash } from 'whorl';
import { lastSeenAt, readSaved } from './saved.js';

/** What one reading of this browser gave. */
export interface BrowserReading {
  readonly current: string;
  /** The last saved fingerprint, or '' on the first visit. */
  readonly last: string;
  /** How long `getHash` took. */
  readonly durationMs: number;
  /** Days since `last` was seen, where the saved record says so. */
  readonly elapsedDays: number | undefined;
  /** The inside view, from a second reading right after the first. */
  readonly components: Components;
}

// The copy of the script-tag file that the server holds is its own worker.
const options = { workerUrl: '/whorl.min.js' };

/** Reads this browser twice: for the fingerprint, as a site would, and for what is behind it. */
export async function readBrowser(): Promise<BrowserReading> {
  // Before getHash, which replaces it.
  const saved = readSaved();
  const started = performance.now();
  const [current, last] = await getHash(options);
  const durationMs = performance.now() - started;
  const seenAt = last && lastSeenAt(saved, last);
  return {
    current,
    last,
    durationMs,
    elapsedDays: seenAt ? Math.max(0, Date.now() - seenAt) / 86_400_000 : undefined,
    components: await getComponents(options),
  };
}
