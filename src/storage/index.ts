import { attempt } from '../attempt.js';
import { giveUpIndexedDb, inTime, readIndexedDb, updateIndexedDb } from './indexed-db.js';
import { readLocalStorage, writeLocalStorage } from './local-storage.js';
import { readMemory, writeMemory } from './memory.js';
import { advance, lastOf, newest, type SavedRecord, settle } from './record.js';

/** Where the fingerprints of one scope are saved. */
export interface Storage {
  /** Saves the current fingerprint, and resolves to the last saved one, or '' where there was none. Never rejects. */
  save(current: string): Promise<string>;
}

/** Begins to read what is saved for a scope, so that it is there when the fingerprint is. */
export function openStorage(scope: string): Storage {
  const key = keyOf(scope);
  const reading = readIndexedDb(key).then(
    (saved) => ({ saved }),
    () => undefined,
  );
  return {
    save: async (current) => write(key, await inTime(reading), (saved, now) => advance(saved, current, now)),
  };
}

/**
 * Notes that the service has answered for a pair that `getHash` gave in this page: of a change between the two it now
 * knows. Never rejects.
 */
export async function acknowledge(scope: string, current: string, last: string): Promise<void> {
  await write(keyOf(scope), {}, (saved, now) => settle(saved, current, last, now));
}

function keyOf(scope: string): string {
  return `whorl${scope && `:${scope}`}`;
}

/**
 * Writes to all places what follows on the record found there, and resolves to the last saved fingerprint.
 *
 * @param indexedDb what the database answered, or undefined where it does not.
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
    readMemory(key),
  );
  const record = next(found, now);
  writeMemory(key, record);
  const isSafe = attempt(() => writeLocalStorage(key, record));
  if (indexedDb) {
    // Another tab may have saved since this one read, so it starts from what is there now.
    const written = updateIndexedDb(key, (saved) => next(newest(saved, found), now));
    // Once one of the two has it, the other may take its time.
    if (isSafe) written.catch(giveUpIndexedDb);
    else await inTime(written);
  } else giveUpIndexedDb();
  return lastOf(found, record);
}
