import { attempt } from '../attempt.js';
import { ownFields } from '../own-fields.js';
import { inTime, readIndexedDb, updateIndexedDb } from './indexed-db.js';
import { readLocalStorage, writeLocalStorage } from './local-storage.js';
import { memory } from './memory.js';
import { acknowledged, advance, lastOf, newest, type SavedRecord } from './record.js';

/**
 * Starts to read what is saved for a scope, so that it is available when the fingerprint is.
 *
 * @returns a function that saves the current fingerprint and resolves to the last saved one, or '' if there was none.
 *   Never rejects.
 */
export function openStorage(scope: string): (current: string) => Promise<string> {
  const key = keyOf(scope);
  const reading = readIndexedDb(key).then(
    (saved) => ({ saved }),
    () => undefined,
  );
  return async (current) => write(key, await inTime(reading), (saved, now) => advance(saved, current, now));
}

/**
 * Records that the service has responded to a pair returned by `getHash` in this page, and so knows about a change
 * between the two. Never rejects.
 */
export async function acknowledge(scope: string, current: string, last: string): Promise<void> {
  await write(keyOf(scope), {}, (saved, now) => acknowledged(saved, current, last, now));
}

function keyOf(scope: string): string {
  return `whorl${scope && `:${scope}`}`;
}

/**
 * Updates the record in every storage and resolves to the last saved fingerprint.
 *
 * @param indexedDb the record in IndexedDB, or undefined if the database does not respond.
 */
async function write(
  key: string,
  indexedDb: { readonly saved?: unknown } | undefined,
  next: (saved: SavedRecord | undefined, now: number) => SavedRecord,
): Promise<string> {
  const now = Date.now();
  const found = newest(
    indexedDb?.saved,
    attempt(() => readLocalStorage(key)),
    memory.get(key),
  );
  const record = ownFields(next(found, now));
  memory.set(key, record);
  const isSafe = attempt(() => writeLocalStorage(key, record));
  if (indexedDb) {
    // Another tab may have saved since this one read, so the update starts from the stored record.
    const written = updateIndexedDb(key, (saved) => next(newest(saved, found), now));
    // Once one storage has the record, the other may take longer.
    if (isSafe) written.catch(() => undefined);
    else await inTime(written);
  }
  return lastOf(found, record);
}
