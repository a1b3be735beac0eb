/**
 * Removes everything that the package and the demo saved for this origin. It empties the package's database instead of
 * deleting it, because a deletion waits for every open page that uses it. The package also keeps data in memory: reload
 * the page afterwards.
 */
export async function forget(): Promise<void> {
  localStorage.clear();
  await emptyDatabase('whorl');
}

function emptyDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    // Nothing was ever saved, so do not leave an empty database behind.
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
