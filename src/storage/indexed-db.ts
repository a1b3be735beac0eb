import { promisifyRequest } from 'idb-keyval';

/**
 * How long to wait for IndexedDB, which never responds in some browsers and modes: 200 ms, in timers one after the other.
 * On a busy page, a single timer would be due before the database's responses, each of which waits for a task to end.
 */
const turns = 8;
const turnMs = 25;

/**
 * Opens the database for one transaction. It does not stay open, because scripts of the page that delete it, as on
 * logout, would wait until all connections of all tabs are closed. Rejects if the database fails, and never settles if
 * it hangs.
 */
async function transact<Value>(
  mode: IDBTransactionMode,
  action: (saved: IDBObjectStore) => Promise<Value>,
): Promise<Value> {
  const request = indexedDB.open('whorl');
  request.onupgradeneeded = () => request.result.createObjectStore('saved');
  const database = await promisifyRequest(request);
  try {
    return await action(database.transaction('saved', mode).objectStore('saved'));
  } finally {
    database.close();
  }
}

/** Reads the value saved under a key. Rejects if the database fails, and never settles if it hangs. */
export function readIndexedDb(key: string): Promise<unknown> {
  return transact('readonly', (saved) => promisifyRequest(saved.get(key)));
}

/**
 * Replaces the value saved under a key by the result of `next`, in one transaction, so that no other tab writes in
 * between. Rejects as `readIndexedDb` does.
 */
export function updateIndexedDb(key: string, next: (saved: unknown) => unknown): Promise<void> {
  return transact('readwrite', async (saved) => {
    saved.put(next(await promisifyRequest<unknown>(saved.get(key))), key);
    return promisifyRequest(saved.transaction);
  });
}

/** Resolves to the result of the database, or to undefined if it fails or takes longer than 200 ms from now. */
export function inTime<Value>(result: Promise<Value>): Promise<Value | undefined> {
  let turn = 0;
  const late = new Promise<undefined>((resolve) => {
    const wait = () => (turn++ < turns ? setTimeout(wait, turnMs) : resolve(undefined));
    wait();
  });
  const end = () => {
    turn = turns;
  };
  return Promise.race([result, late])
    .catch(() => undefined)
    .finally(end);
}
