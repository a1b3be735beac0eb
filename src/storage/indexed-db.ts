import { createStore, promisifyRequest, type UseStore } from 'idb-keyval';

/** How long to wait for IndexedDB, which never responds in some browsers and modes. */
const giveUpMs = 200;

let store: UseStore | undefined;

function openStore(): UseStore {
  store ??= createStore('whorl', 'saved');
  return store;
}

/** Reads the value saved under a key. Rejects if the database fails, and never settles if it hangs. */
export async function readIndexedDb(key: string): Promise<unknown> {
  return openStore()('readonly', (saved) => promisifyRequest(saved.get(key)));
}

/**
 * Replaces the value saved under a key by the result of `next`, in one transaction, so that no other tab writes in
 * between. Rejects as `readIndexedDb` does.
 */
export async function updateIndexedDb(key: string, next: (saved: unknown) => unknown): Promise<void> {
  await openStore()('readwrite', async (saved) => {
    saved.put(next(await promisifyRequest<unknown>(saved.get(key))), key);
    return promisifyRequest(saved.transaction);
  });
}

/**
 * Discards the store, so that the next use opens the database again: the store would keep a database that never opened.
 */
export function giveUpIndexedDb(): void {
  store = undefined;
}

/** Resolves to the result of the database, or to undefined if it fails or takes longer than 200 ms from now. */
export function inTime<Value>(result: Promise<Value>): Promise<Value | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, giveUpMs));
  return Promise.race([result, late]).catch(() => undefined);
}
