/** When each fingerprint was last seen here. A site would know that on its server. The package does not report it. */
type Seen = Record<string, unknown>;

const key = 'whorl-demo';

/** Returns milliseconds since 1970, or undefined if unknown. */
export function lastSeenAt(fingerprint: string): number | undefined {
  const seenAt = read()[fingerprint];
  return typeof seenAt === 'number' ? seenAt : undefined;
}

/** Records that these fingerprints were seen now, and keeps the time of one more. Removes all others. */
export function noteSeen(fingerprints: readonly string[], retained: string): void {
  const times = [[retained, read()[retained]], ...fingerprints.map((fingerprint) => [fingerprint, Date.now()])];
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(times)));
  } catch {
    // Storage is blocked or full: the time of this visit is lost.
  }
}

function read(): Seen {
  try {
    const seen: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof seen === 'object' && seen !== null ? { ...seen } : {};
  } catch {
    return {};
  }
}
