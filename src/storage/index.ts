import { giveUpIndexedDb, inTime, readIndexedDb, updateIndexedDb } from './indexed-db.js';
import { readLocalStorage, writeLocalStorage } from './local-storage.js';
import { readMemory, writeMemory } from './memory.js';
import { advance, lastOf, newest } from './record.js';

/** Where the fingerprints of one scope are saved. */
export interface Storage {
  /** Saves the current fingerprint, and resolves to the last saved one, or '' where there was none. Never rejects. */
  save(current: string): Promise<string>;
}

/** Begins to read what is saved for a scope, so that it is there when the fingerprint is. */
export function openStorage(scope: string): Storage {
  const key = `whorl${scope && `:${scope}`}`;
  const reading = readIndexedDb(key).then((saved) => ({ saved }));
  // Where it fails, save() finds out; until then nobody waits for it.
  reading.catch(() => undefined);
  return {
    async save(current) {
      const now = Date.now();
      const answer = await inTime(reading);
      const found = newest(
        answer?.saved,
        attempt(() => readLocalStorage(key)),
        readMemory(key),
      );
      const record = advance(found, current, now);
      writeMemory(key, record);
      const isSafe = attempt(() => writeLocalStorage(key, record));
      if (answer) {
        // Another tab may have saved since this one read, so it starts from what is there now.
        const written = updateIndexedDb(key, (saved) => advance(newest(saved, record), current, now));
        // Once one of the two has it, the other may take its time.
        if (isSafe) written.catch(giveUpIndexedDb);
        else await inTime(written);
      } else giveUpIndexedDb();
      return lastOf(found, record);
    },
  };
}

function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
