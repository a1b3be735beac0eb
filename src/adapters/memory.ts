const maxAgeMs = 24 * 60 * 60_000;
const maxEntries = 10_000;

/** What was added in the last 24 hours. */
export interface Memory {
  add(parts: readonly (string | undefined)[]): void;
  has(parts: readonly (string | undefined)[]): boolean;
}

/** Creates a memory of at most 10,000 entries. The oldest are forgotten first. */
export function createMemory(): Memory {
  const addedAt = new Map<string, number>();
  return {
    add(parts) {
      const key = JSON.stringify(parts);
      // Deleted first, so that the entry moves to the end.
      addedAt.delete(key);
      addedAt.set(key, Date.now());
      for (const oldest of addedAt.keys()) {
        if (addedAt.size <= maxEntries) break;
        addedAt.delete(oldest);
      }
    },
    has: (parts) => Date.now() - (addedAt.get(JSON.stringify(parts)) ?? 0) < maxAgeMs,
  };
}
