const maxAgeMs = 24 * 60 * 60_000;
const maxEntries = 10_000;

/** What was allowed in the last 24 hours. */
export interface Memory {
  /** Replaces what is remembered: a verdict other than `allow` is forgotten together with an earlier one. */
  set(parts: readonly string[], isAllowed: boolean): void;
  has(parts: readonly string[]): boolean;
}

/** Creates a memory of at most 10,000 entries. The oldest are forgotten first. */
export function createMemory(): Memory {
  const allowedAt = new Map<string, number>();
  return {
    set(parts, isAllowed) {
      const key = JSON.stringify(parts);
      // Deleted first, so that the entry moves to the end.
      allowedAt.delete(key);
      if (isAllowed) allowedAt.set(key, Date.now());
      for (const oldest of allowedAt.keys()) {
        if (allowedAt.size <= maxEntries) break;
        allowedAt.delete(oldest);
      }
    },
    has: (parts) => Date.now() - (allowedAt.get(JSON.stringify(parts)) ?? 0) < maxAgeMs,
  };
}
