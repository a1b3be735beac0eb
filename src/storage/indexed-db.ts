import { createStore, get, type UseStore, update } from 'idb-keyval';

/** How long to wait for IndexedDB, which in some browsers and modes never answers. */
const giveUpMs = 200;

let store: UseStore | undefined;

/** Opens the database ahead of its use. Resolves to whether it answers. */
export function openIndexedDb(): Promise<boolean> {
  return withinTime((opened) => get('', opened)).then(
    () => true,
    () => false,
  );
}

/**
 * Replaces what is saved under a key by what `next` makes of it, in one transaction: no other tab writes in between. Rejects where
 * the database does not work, or takes longer than 200 ms.
 */
export function updateIndexedDb(key: string, next: (saved: unknown) => unknown): Promise<void> {
  return withinTime((opened) => update(key, next, opened));
}

async function withinTime<Value>(use: (opened: UseStore) => Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    store ??= createStore('whorl', 'saved');
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, giveUpMs, new Error('IndexedDB did not answer.'));
    });
    return await Promise.race([use(store), late]);
  } catch (error) {
    // The store holds on to the database that did not open; the next call is to try anew.
    store = undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
