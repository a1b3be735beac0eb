/** When each fingerprint was last seen here. A site would know that on its server; the package does not tell it. */
type Seen = Record<string, unknown>;

const key = 'whorl-demo';

/** In milliseconds since 1970, or undefined where it is not known. */
export function lastSeenAt(fingerprint: string): number | undefined {
  const seenAt = read()[fingerprint];
  return typeof seenAt === 'number' ? seenAt : undefined;
}

/** Writes down that these are seen now, and keeps the time of one more. All others are forgotten. */
export function noteSeen(fingerprints: readonly string[], kept: string): void {
  const times = [[kept, read()[kept]], ...fingerprints.map((fingerprint) => [fingerprint, Date.now()])];
  try {
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(times)));
  } catch {
    // Blocked or full: the time of this visit will not be known.
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
