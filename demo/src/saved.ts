/** The part of the package's saved record that says when each fingerprint was seen. */
export interface SavedTimes {
  readonly current?: unknown;
  readonly savedAt?: unknown;
  readonly previous?: unknown;
  readonly changedAt?: unknown;
}

/**
 * What the package saved of this browser, as far as it lies in localStorage. The package has no call for it: its record
 * is its own affair, and may look different in the next version. Good enough for a demo that shows when the last visit
 * was.
 */
export function readSaved(): SavedTimes {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem('whorl') ?? '{}');
    return typeof saved === 'object' && saved !== null ? saved : {};
  } catch {
    // Blocked storage, or a text that is not the package's: the time of the last visit is not known.
    return {};
  }
}

/** When a fingerprint was last seen, in milliseconds since 1970, or undefined where the record does not say. */
export function lastSeenAt({ current, savedAt, previous, changedAt }: SavedTimes, last: string): number | undefined {
  const seenAt = last === previous ? changedAt : last === current ? savedAt : undefined;
  return typeof seenAt === 'number' ? seenAt : undefined;
}

/**
 * Removes what the package saved. It empties the database instead of deleting it, because a deletion waits for every
 * open page that uses it. The package also remembers while the page lives: reload it afterwards.
 */
export async function forget(): Promise<void> {
  for (const key of Object.keys(localStorage)) {
    if (key === 'whorl' || key.startsWith('whorl:')) localStorage.removeItem(key);
  }
  await emptyDatabase('whorl');
}

function emptyDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    // Nothing was ever saved: leave no empty database behind.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onerror = () => (opening.error?.name === 'AbortError' ? resolve() : reject(opening.error));
    opening.onsuccess = () => {
      const database = opening.result;
      const stores = [...database.objectStoreNames];
      if (!stores.length) return resolve();
      const emptying = database.transaction(stores, 'readwrite');
      for (const store of stores) emptying.objectStore(store).clear();
      emptying.oncomplete = () => {
        database.close();
        resolve();
      };
      emptying.onabort = () => reject(emptying.error);
    };
  });
}
