import { createStore, promisifyRequest, type UseStore } from 'idb-keyval';

/** How long to wait for IndexedDB, which in some browsers and modes never answers. */
const giveUpMs = 200;

let store: UseStore | undefined;

function openStore(): UseStore {
  store ??= createStore('whorl', 'saved');
  return store;
}

/** Reads what is saved under a key. Rejects where the database does not work; where it hangs, so does this. */
export async function readIndexedDb(key: string): Promise<unknown> {
  return openStore()('readonly', (saved) => promisifyRequest(saved.get(key)));
}

/**
 * Replaces what is saved under a key by what `next` makes of it, in one transaction: no other tab writes in between.
 * Rejects as `readIndexedDb` does.
 */
export async function updateIndexedDb(key: string, next: (saved: unknown) => unknown): Promise<void> {
  await openStore()('readwrite', async (saved) => {
    saved.put(next(await promisifyRequest<unknown>(saved.get(key))), key);
    return promisifyRequest(saved.transaction);
  });
}

/** Has the next use try anew: the store holds on to a database that never opened. */
export function giveUpIndexedDb(): void {
  store = undefined;
}

/** Resolves to the answer of the database, or to undefined where it fails, or takes longer than 200 ms from now. */
export function inTime<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, giveUpMs));
  return Promise.race([answer, late]).catch(() => undefined);
}
