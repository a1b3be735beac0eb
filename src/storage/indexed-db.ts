import { createStore, get, type UseStore, update } from 'idb-keyval';

/** How long to wait for IndexedDB, which in some browsers and modes never answers. */
const giveUpMs = 200;

let store: UseStore | undefined;

function openStore(): UseStore {
  store ??= createStore('whorl', 'saved');
  return store;
}

/** Has the database opened ahead of its use, so that it opens while something else is done. */
export function openIndexedDb(): void {
  Promise.resolve()
    .then(() => get('', openStore()))
    .catch(() => undefined);
}

/**
 * Replaces what is saved under a key by what `next` makes of it, in one transaction: no other tab writes in between.
 * Rejects where the database does not work, or takes longer than 200 ms.
 */
export async function updateIndexedDb(key: string, next: (saved: unknown) => unknown): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, giveUpMs, new Error('IndexedDB did not answer.'));
    });
    await Promise.race([update(key, next, openStore()), late]);
  } catch (error) {
    // The store holds on to a database that never opened; the next call is to try anew.
    store = undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
